// Explorers find the fastest schedule, propose none twice, and end where there are no more.
#include <doctest/doctest.h>

#include <set>

#include "search/make_explorer.h"
#include "search/some_space.h"
#include "tensordsl/error.h"

namespace tensordsl::search {
namespace {

std::vector<std::string> built_explorers() {
  std::vector<std::string> names = explorer_names();
  if (!has_boosted_trees()) std::erase(names, "model");
  return names;
}

std::size_t trials_to_best(const std::string& name, std::uint64_t seed, std::size_t most) {
  Laboratory laboratory;
  laboratory.run({{&kFirst, some_space()[0].space.first}});
  const auto explorer = make_explorer(name, laboratory.view(), seed);
  while (laboratory.best() > 10.5 && laboratory.trials().size() < most) {
    const auto proposals = explorer->propose(8);
    if (proposals.empty()) break;
    laboratory.run(proposals);
  }
  return laboratory.trials().size();
}

}  // namespace

TEST_CASE("explorers: what they propose is new, in the space, and not refused") {
  for (const std::string& name : built_explorers()) {
    CAPTURE(name);
    Laboratory laboratory;
    const auto explorer = make_explorer(name, laboratory.view(), 1);
    std::set<std::string> seen;
    for (int batch = 0; batch < 20; ++batch) {
      const auto proposals = explorer->propose(8);
      CHECK(proposals.size() <= 8);
      for (const graph::GroupSchedule& schedule : proposals) {
        REQUIRE(contains(laboratory.view().space, schedule));
        CHECK(schedule.point["a"] != 32);
        CHECK(seen.insert(text_of(schedule)).second);
      }
      laboratory.run(proposals);
    }
    CHECK(seen.size() > 100);
  }
}

TEST_CASE("explorers: the same seed proposes the same") {
  for (const std::string& name : built_explorers()) {
    CAPTURE(name);
    Laboratory a, b;
    const auto one = make_explorer(name, a.view(), 9), other = make_explorer(name, b.view(), 9);
    for (int batch = 0; batch < 5; ++batch) {
      const auto x = one->propose(4), y = other->propose(4);
      REQUIRE(x.size() == y.size());
      for (std::size_t i = 0; i < x.size(); ++i) CHECK(text_of(x[i]) == text_of(y[i]));
      a.run(x);
      b.run(y);
    }
  }
}

TEST_CASE("explorers: those that learn need far fewer trials than chance does") {
  constexpr std::size_t kMost = 384;
  std::map<std::string, std::size_t> sums;
  for (const std::string& name : built_explorers()) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) sums[name] += trials_to_best(name, seed, kMost);
  }
  for (const std::string& name : built_explorers()) {
    CAPTURE(name);
    CAPTURE(sums[name]);
    CAPTURE(sums["random"]);
    if (name != "random") CHECK(2 * sums[name] < sums["random"]);
  }
}

TEST_CASE("explorers: a space that is used up ends the search") {
  for (const std::string& name : built_explorers()) {
    CAPTURE(name);
    Laboratory laboratory;
    const auto explorer = make_explorer(name, laboratory.view(), 2);
    for (int batch = 0; batch < 2000; ++batch) {
      const auto proposals = explorer->propose(16);
      if (proposals.empty()) break;
      laboratory.run(proposals);
    }
    CHECK(laboratory.trials().size() <= 5 * 8 * 2 * 4 + 3);
    CHECK(laboratory.best() == 10);
    CHECK(explorer->propose(16).empty());
  }
}

TEST_CASE("explorers: a name that is none is refused with those that are") {
  Laboratory laboratory;
  CHECK_THROWS_WITH_AS(make_explorer("best", laboratory.view(), 1),
                       "unknown explorer \"best\"; the explorers are model, anneal, genetic, random", Error);
}

TEST_CASE("cost model: it learns by how much the device's model is wrong, and predicts that") {
  const auto model = make_boosted_trees(1);
  if (!model) return;
  std::vector<Trial> examples;
  for (int c = 0; c < 2; ++c) {
    for (int a = 1; a <= 50; ++a) {
      Trial example;
      example.predicted.features = {{"a", a}, {"c", c}};
      example.predicted.us = 10.0 * a;
      example.measured.us = c == 1 ? 10.0 * a : 30.0 * a;
      examples.push_back(example);
    }
  }
  Evaluation fast, slow;
  fast.features = {{"a", 20.5}, {"c", 1}};
  slow.features = {{"a", 20.5}, {"c", 0}};
  fast.us = slow.us = 205;
  CHECK(model->predict({&fast})[0] == 205);
  model->learn(examples);
  const std::vector<double> us = model->predict({&fast, &slow});
  CHECK(us[0] == doctest::Approx(205).epsilon(0.1));
  CHECK(us[1] == doctest::Approx(615).epsilon(0.1));
}

}  // namespace tensordsl::search
