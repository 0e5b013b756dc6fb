// Steps, ticks, spills and bandwidths of levels, one by one.
#include <doctest/doctest.h>

#include <cmath>

#include "hwprofile/analysis/first_step.h"
#include "hwprofile/analysis/level_bandwidth.h"
#include "hwprofile/analysis/spill.h"
#include "hwprofile/analysis/tick.h"
#include "hwprofile/synthetic_device.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

Sweep exactly(const std::vector<double>& points, const std::function<double(double)>& law) {
  std::mt19937 random(1);
  return measured(points, 3, law, {0, 0, 0}, random);
}

}  // namespace

TEST_CASE("find_first_step: the last point before the leap, of every count") {
  for (const double fit : {1, 2, 3, 5, 7, 17, 24, 132, 384, 4224}) {
    CAPTURE(fit);
    const auto law = [&](double n) { return std::ceil(n / fit); };
    const auto found = find_first_step(exactly(points_around_step(law, 1 << 15), law));
    REQUIRE(found.has_value());
    CHECK(found->value == doctest::Approx(fit).epsilon(0.02));
    CHECK(found->low <= fit);
    CHECK(found->high >= fit);
    CHECK(found->confident);
  }
}

TEST_CASE("find_first_step: a flat curve, a slope and noise have no step") {
  const std::vector<double> points{1, 2, 4, 8, 9, 10, 11, 12, 13, 14, 16, 32};
  CHECK_FALSE(find_first_step(exactly(points, [](double) { return 3.0; })).has_value());
  CHECK_FALSE(find_first_step(exactly(geometric(1, 100, 1.05), [](double n) { return n; })).has_value());
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const auto found = find_first_step(measured(
        points, 9, [](double) { return 3.0; }, {}, random));
    CHECK_FALSE((found && found->confident));
  }
  CHECK_THROWS_WITH_AS(find_first_step({{1, 2, 3}, {{1, 1, 1}}}),
                       "find_first_step: needs at least 4 points and one round, found 3 and 1", Error);
}

TEST_CASE("points_around_step: what never leaps is asked up to the end and no further") {
  CHECK(points_around_step([](double) { return 1.0; }, 100) ==
        std::vector<double>{1, 2, 4, 8, 16, 32, 64, 100});
  CHECK(points_around_step([](double) { return 1.0; }, 1) == std::vector<double>{1});
}

TEST_CASE("find_first_beyond: the power of two at which it begins to be different") {
  const std::vector<double> distances{4, 8, 16, 32, 64, 128, 256, 512};
  CHECK(find_first_beyond(exactly(distances, [](double d) { return d < 64 ? 5.0 : 9.0; })) ==
        Measurement::exact(64));
  CHECK(find_first_beyond(exactly(distances, [](double d) { return d < 512 ? 5.0 : 9.0; })) ==
        Measurement::exact(512));
  CHECK_FALSE(find_first_beyond(exactly(distances, [](double) { return 5.0; })).has_value());
}

TEST_CASE("find_tick: the clock's tick, whole or not, from durations in whole nanoseconds") {
  std::mt19937 random(4);
  for (const double tick : {1.0, 10.0, 32.0, 1000.0 / 19.2, 80.0, 100.0, 1000.0}) {
    CAPTURE(tick);
    std::vector<double> durations;
    for (int i = 0; i < 200; ++i)
      durations.push_back(std::round(tick * std::ceil((1000.0 + random() % 50000) / tick)));
    const auto found = find_tick(durations);
    REQUIRE(found.has_value());
    CHECK(found->value == doctest::Approx(tick).epsilon(0.001));
    CHECK(found->confident);
  }
}

TEST_CASE("find_tick: too few different durations say nothing") {
  CHECK_FALSE(find_tick({}).has_value());
  CHECK_FALSE(find_tick({1000, 1000, 2000}).has_value());
  CHECK_FALSE(find_tick({1000, 2000, 4000})->confident);
}

TEST_CASE("find_spill: where the time of an operation begins to rise") {
  const auto law = [](double values) { return 0.5 + 4 * std::max(0.0, 1 - 61 / values); };
  const auto about = find_spill(exactly(value_counts(std::nullopt), law));
  REQUIRE(about.has_value());
  const auto found = find_spill(exactly(value_counts(about), law));
  REQUIRE(found.has_value());
  CHECK(found->value == doctest::Approx(61).epsilon(0.03));
  CHECK_FALSE(find_spill(exactly(value_counts(std::nullopt), [](double) { return 0.5; })).has_value());
}

TEST_CASE("value_counts: ascending, without a number twice, and finer around the place that was seen") {
  for (const double spill : {16.0, 61.0, 181.0, 250.0, 512.0}) {
    const auto counts = value_counts(Measurement::exact(spill));
    CHECK(std::is_sorted(counts.begin(), counts.end()));
    CHECK(std::adjacent_find(counts.begin(), counts.end()) == counts.end());
    CHECK(counts.size() > value_counts(std::nullopt).size());
    CHECK(counts.front() >= 16);
  }
}

TEST_CASE("add_bandwidths: each cache gets its own, and what is behind them the rest") {
  std::vector<CacheLevel> caches{{Measurement::exact(32 << 10), {}, {}, {}},
                                 {Measurement::exact(1 << 20), {}, {}, {}}};
  const Sweep sweep = exactly(geometric(1024, 64 << 20, 2), [](double f) {
    return f <= (32 << 10) ? 900.0 : f <= (1 << 20) ? 300.0 : 40.0;
  });
  const auto beyond = add_bandwidths(caches, sweep);
  CHECK(caches[0].bandwidth_gbs->value == doctest::Approx(900).epsilon(0.01));
  CHECK(caches[1].bandwidth_gbs->value == doctest::Approx(300).epsilon(0.01));
  CHECK(caches[1].bandwidth_gbs->confident);
  REQUIRE(beyond.has_value());
  CHECK(beyond->value == doctest::Approx(40).epsilon(0.01));
}

TEST_CASE(
    "add_bandwidths: of caches that are as fast as each other nobody is sure, and what no footprint reaches "
    "is not known") {
  std::vector<CacheLevel> caches{{Measurement::exact(32 << 10), {}, {}, {}},
                                 {Measurement::exact(32 << 20), {}, {}, {}}};
  const auto beyond =
      add_bandwidths(caches, exactly(geometric(1024, 64 << 20, 2), [](double) { return 100.0; }));
  CHECK(caches[0].bandwidth_gbs->value == doctest::Approx(100));
  CHECK_FALSE(caches[0].bandwidth_gbs->confident);
  CHECK_FALSE(caches[1].bandwidth_gbs->confident);
  CHECK_FALSE(beyond.has_value());
}

}  // namespace tensordsl::hwprofile
