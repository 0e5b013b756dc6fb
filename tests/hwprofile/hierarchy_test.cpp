// Cache levels out of noise: a thousand devices that do not exist.
#include "hwprofile/analysis/hierarchy.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "hwprofile/synthetic_device.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

/// Capacities in bytes, ascending, and the cost of an access at each level and in memory.
struct Hierarchy {
  std::vector<double> capacities, costs;
  enum class Replacement {
    LeastRecent,
    Random,
    LeastRecentOfScatteredPages
  } replacement = Replacement::LeastRecent;

  double misses(double footprint, double capacity) const {
    switch (replacement) {
      case Replacement::LeastRecent:
        return footprint > capacity ? 1 : 0;
      case Replacement::Random:
        return std::max(0.0, 1 - capacity / footprint);
      default:
        break;
    }
    // A cache of 12 ways, a law that is not among the fitted ones.
    constexpr int kWays = 12;
    double fewer = 0, term = std::exp(-kWays * footprint / capacity);
    for (int k = 0; k < kWays; ++k, term *= kWays * footprint / capacity / k) fewer += term;
    return std::max(0.0, 1 - fewer);
  }

  double cost(double footprint) const {
    double result = costs[0];
    for (std::size_t k = 0; k < capacities.size(); ++k)
      result += misses(footprint, capacities[k]) * (costs[k + 1] - costs[k]);
    return result;
  }
};

Hierarchy draw(std::mt19937& random) {
  std::uniform_real_distribution<double> share;
  const auto between = [&](double low, double high) { return low * std::pow(high / low, share(random)); };
  Hierarchy h;
  h.replacement = static_cast<Hierarchy::Replacement>(random() % 3);
  h.costs.push_back(between(1, 40));
  double capacity = between(1 << 12, 1 << 16);
  for (int levels = std::uniform_int_distribution(0, 3)(random); levels > 0 && capacity < (1 << 25);
       --levels) {
    h.capacities.push_back(capacity);
    h.costs.push_back(h.costs.back() * between(1.8, 6));
    capacity *= between(8, 40);
  }
  return h;
}

const std::vector<double> kFootprints = geometric(1024, 256 << 20, std::pow(2.0, 0.25));

bool is_near(double found, double truth) { return std::abs(found - truth) <= 0.1 * truth; }

}  // namespace

TEST_CASE(
    "find_levels: of 1,000 random hierarchies under 10 % noise, 95 % of the figures are within 10 % and "
    "under 1 % are confident and wrong") {
  std::mt19937 random(7);
  int figures = 0, recovered = 0, confident = 0, wrong = 0;
  for (int device = 0; device < 1000; ++device) {
    const Hierarchy truth = draw(random);
    const auto cost = [&](double s) { return truth.cost(s); };
    const auto seen = find_levels(measured(footprints_around({}, 1024, 256 << 20), 3, cost, {}, random));
    const auto levels = find_levels(measured(footprints_around(seen, 1024, 256 << 20), 9, cost, {}, random));
    const double clock = 1.1;  // the median round's
    const auto judge = [&](const Measurement* found, double expected) {
      ++figures;
      recovered += found && is_near(found->value, expected);
      confident += found && found->confident;
      wrong += found && found->confident && !is_near(found->value, expected);
    };
    for (std::size_t k = 0; k < truth.costs.size(); ++k) {
      const HierarchyLevel* level = k < levels.size() ? &levels[k] : nullptr;
      judge(level ? &level->cost : nullptr, truth.costs[k] * clock);
      if (k < truth.capacities.size())
        judge(level && level->has_end ? &level->capacity : nullptr, truth.capacities[k]);
    }
    // A level that is not there is wrong as well.
    for (std::size_t k = truth.capacities.size(); k < levels.size(); ++k)
      wrong += levels[k].has_end && levels[k].capacity.confident;
  }
  fmt::print("hierarchy: {} figures, {:.2f} % recovered, {:.2f} % confident, {:.2f} % wrong\n", figures,
             100.0 * recovered / figures, 100.0 * confident / figures, 100.0 * wrong / figures);
  CHECK(recovered >= 0.95 * figures);
  CHECK(wrong < 0.01 * figures);
  CHECK(confident >= 0.8 * figures);
}

TEST_CASE("find_levels: noise alone is one level, however much there is of it") {
  std::mt19937 random(8);
  for (const double noise : {0.01, 0.1, 0.5}) {
    for (int i = 0; i < 50; ++i) {
      const auto levels = find_levels(measured(
          kFootprints, 9, [](double) { return 12.0; }, {.noise = noise}, random));
      CHECK(levels.size() == 1);
      CHECK_FALSE(levels[0].has_end);
    }
  }
}

TEST_CASE("find_levels: without noise every capacity is between the footprints around it") {
  std::mt19937 random(9);
  const Hierarchy h{{49152, 2 << 20}, {1.2, 4, 30}, Hierarchy::Replacement::LeastRecent};
  const auto levels = find_levels(measured(
      kFootprints, 3, [&](double s) { return h.cost(s); }, {0, 0, 0}, random));
  REQUIRE(levels.size() == 3);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(levels[k].capacity.confident);
    CHECK(levels[k].capacity.low <= h.capacities[k]);
    CHECK(levels[k].capacity.high >= h.capacities[k]);
    CHECK(levels[k].cost.value == doctest::Approx(h.costs[k]).epsilon(0.01));
  }
}

TEST_CASE("find_levels: too few footprints are an error") {
  CHECK_THROWS_WITH_AS(find_levels({{1, 2, 3}, {{1, 1, 1}}}),
                       "find_levels: needs at least 4 points and one round, found 3 and 1", Error);
  CHECK_THROWS_AS(find_levels({{1, 2, 3, 4}, {}}), Error);
}

}  // namespace tensordsl::hwprofile
