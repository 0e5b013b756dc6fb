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

TEST_CASE("without_drift: what a round has in common goes, what points have in common stays") {
  const Sweep sweep{{1, 2, 3}, {{10, 20, 30}, {11, 22, 33}, {20, 40, 60}}};
  const Sweep steady = without_drift(sweep);
  for (const auto& round : steady.rounds) {
    for (std::size_t i = 0; i < 3; ++i) CHECK(round[i] == doctest::Approx(11.0 * static_cast<double>(i + 1)));
  }
  CHECK(relative_noise(sweep) == 1e-3);
}

TEST_CASE("relative_noise: is found beside outliers and drift") {
  std::mt19937 random(2);
  for (const double noise : {0.01, 0.1, 0.3}) {
    const Sweep sweep = measured(geometric(1, 1e6, 1.2), 15, [](double p) { return 5 + p; }, {.noise = noise}, random);
    CHECK(relative_noise(sweep) == doctest::Approx(noise).epsilon(0.15));
  }
}

}  // namespace tensordsl::hwprofile
