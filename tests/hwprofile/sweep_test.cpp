// Medians, their intervals, drift and noise.
#include "hwprofile/analysis/sweep.h"

#include <doctest/doctest.h>

#include "hwprofile/synthetic_device.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {

TEST_CASE("estimate: the median, and the samples that it is between") {
  CHECK(estimate({3}).median == 3);
  CHECK(estimate({3}).low == 3);
  CHECK(estimate({4, 1, 2, 3}).median == 2.5);
  CHECK(estimate({4, 1, 2, 3}).low == 1);
  CHECK(estimate({4, 1, 2, 3}).high == 4);
  const Estimate e = estimate({1, 2, 3, 4, 5, 6, 7, 8, 9, 1000});
  CHECK(e.median == 5.5);
  CHECK(e.low == 2);
  CHECK(e.high == 9);
  CHECK_THROWS_WITH_AS(estimate({}), "estimate: there are no samples", Error);
}

TEST_CASE("estimate: the interval holds the true median in 95 % of all cases") {
  std::mt19937 random(1);
  std::lognormal_distribution<double> skewed(0, 1);
  for (const int samples : {6, 8, 9, 11, 15, 40}) {
    int held = 0;
    constexpr int kTrials = 2000;
    for (int t = 0; t < kTrials; ++t) {
      std::vector<double> drawn;
      for (int i = 0; i < samples; ++i) drawn.push_back(skewed(random));
      const Estimate e = estimate(drawn);
      held += e.low <= 1 && 1 <= e.high;
    }
    CAPTURE(samples);
    CHECK(held >= kTrials * 0.94);
  }
}

TEST_CASE("check_sweep: what is no measurement is refused, with the name of the call") {
  const auto check = [](const Sweep& sweep, const char* message) {
    CHECK_THROWS_WITH_AS(check_sweep("a_call", sweep, 2), message, Error);
  };
  CHECK_NOTHROW(check_sweep("a_call", {{0, 1}, {{1, 2}}}, 2));
  check({}, "a_call: needs at least 2 points and one round, found 0 and 0");
  check({{1, 1}, {{1, 2}}}, "a_call: the points must be finite and ascending");
  check({{1, NAN}, {{1, 2}}}, "a_call: the points must be finite and ascending");
  check({{1, 2}, {{1}}}, "a_call: a round has 1 samples for 2 points");
  check({{1, 2}, {{1, 0}}}, "a_call: a sample is 0; it must be positive");
  check({{1, 2}, {{1, NAN}}}, "a_call: a sample is nan; it must be positive");
  check({{1, 2}, {{1, INFINITY}}}, "a_call: a sample is inf; it must be positive");
  check({{1, 2}, {{1, 1e-200}}}, "a_call: a sample is 1e-200; it must be positive");
}

TEST_CASE("ratio: of two points, round by round") {
  const Estimate twice = ratio({{0, 1}, {{1, 2}, {10, 20}, {100, 200}}}, 1, 0);
  CHECK(twice.median == 2);
  CHECK(twice.low == 2);
  CHECK(twice.high == 2);
}

TEST_CASE("without_drift: of a few points nothing goes") {
  const Sweep sweep{{1}, {{50}, {100}, {200}}};
  CHECK(without_drift(sweep) == sweep);
  CHECK(estimates(sweep)[0].low == 50);
  CHECK(estimates(sweep)[0].high == 200);
}

TEST_CASE("without_drift: what a round has in common goes, what points have in common stays") {
  const Sweep sweep{{1, 2, 3, 4, 5}, {{10, 20, 30, 40, 50}, {11, 22, 33, 44, 55}, {20, 40, 60, 80, 100}}};
  const Sweep steady = without_drift(sweep);
  for (const auto& round : steady.rounds) {
    for (std::size_t i = 0; i < 5; ++i) CHECK(round[i] == doctest::Approx(11.0 * static_cast<double>(i + 1)));
  }
  CHECK(relative_noise(sweep) == 1e-3);
}

TEST_CASE("relative_noise: is found beside outliers and drift") {
  std::mt19937 random(2);
  for (const double noise : {0.01, 0.1, 0.3}) {
    const Sweep sweep = measured(
        geometric(1, 1e6, 1.2), 15, [](double p) { return 5 + p; }, {.noise = noise}, random);
    CHECK(relative_noise(sweep) == doctest::Approx(noise).epsilon(0.15));
  }
}

}  // namespace tensordsl::hwprofile
