// Steps in a space stay in it.
#include "search/search_space.h"

#include <doctest/doctest.h>

#include <set>

#include "search/some_space.h"

namespace tensordsl::search {

TEST_CASE("space: it has the points of all strategies") {
  const SearchSpace space = some_space();
  CHECK(number_of_schedules(space) == 6 * 8 * 2 * 4 + 3);
  CHECK(contains(space, {&kSecond, {{"a", 4}}}));
  CHECK(!contains(space, {&kSecond, {{"a", 8}}}));
  CHECK(!contains(space, {&kFirst, {{"a", 4}}}));
}

TEST_CASE("space: whatever is drawn, stepped to or crossed is in it") {
  const SearchSpace space = some_space();
  RandomNumbers random(3);
  graph::GroupSchedule at = random_schedule(space, random);
  std::set<std::string> seen;
  for (int i = 0; i < 4000; ++i) {
    const graph::GroupSchedule drawn =
        i % 2 == 0 ? random_schedule(space, random) : random_point(space, random);
    REQUIRE(contains(space, drawn));
    const graph::GroupSchedule next = neighbor(space, at, random);
    REQUIRE(contains(space, next));
    CHECK(next.strategy == at.strategy);
    int changed = 0;
    for (const auto& [name, value] : next.point.values()) changed += at.point[name] != value ? 1 : 0;
    CHECK((changed == 1 || changed == 2));
    const graph::GroupSchedule child = crossover(next, drawn, random);
    REQUIRE(contains(space, child));
    CHECK(child.strategy == next.strategy);
    seen.insert(text_of(drawn));
    at = child;
  }
  CHECK(static_cast<std::int64_t>(seen.size()) == number_of_schedules(space));
}

TEST_CASE("space: with one value for each knob there is nowhere to go") {
  const SearchSpace space{{&kFirst, {{{"a", {4}}}, {{"a", 4}}}}};
  RandomNumbers random(1);
  const graph::GroupSchedule only{&kFirst, {{"a", 4}}};
  CHECK(text_of(neighbor(space, only, random)) == text_of(only));
  CHECK(text_of(random_schedule(space, random)) == text_of(only));
}

TEST_CASE("random numbers: the same for a seed, and another for another") {
  RandomNumbers a(5), b(5), c(6);
  CHECK(a.below(1000000) == b.below(1000000));
  CHECK(a.below(1000000) != c.below(1000000));
  for (int i = 0; i < 1000; ++i) {
    const double u = a.unit();
    CHECK((u >= 0 && u < 1));
  }
}

}  // namespace tensordsl::search
