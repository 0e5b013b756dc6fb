// Tests the ends and the ticks of axes.
#include "report/axis_scale.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace tensordsl::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                 kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("shown_scale: every value that can be shown is on the axis") {
  for (const auto& [low, high, unit] : {std::tuple{1.0, 2.0, ""},
                                        {1.0, 1e6, ""},
                                        {1024.0, 256.0 * (1 << 20), "B"},
                                        {3e-7, 4e-7, "s"},
                                        {5.0, 5.0, ""},
                                        {0.0, 0.0, ""},
                                        {-3.0, 100.0, ""},
                                        {1e-9, 1e9, ""},
                                        {1e-300, 1e300, "B"}}) {
    for (const AxisScale scale : {AxisScale::Automatic, AxisScale::Linear, AxisScale::Logarithmic}) {
      CAPTURE(low);
      CAPTURE(static_cast<int>(scale));
      const ShownScale shown = shown_scale({{"", unit}, scale}, {high, low, kNan, kInfinity});
      CHECK(shown.low < shown.high);
      for (const double value : {low, high}) {
        if (!shown.shows(value)) continue;
        CHECK(shown.share(value) >= 0);
        CHECK(shown.share(value) <= 1);
      }
      CHECK(shown.ticks.size() <= 10);
      CHECK(std::is_sorted(shown.ticks.begin(), shown.ticks.end()));
      for (const double tick : shown.ticks) CHECK((tick >= shown.low && tick <= shown.high));
    }
  }
  CHECK_FALSE(shown_scale({{"", ""}, AxisScale::Automatic}, {}).shows(kNan));
  CHECK_FALSE(shown_scale({{"", ""}, AxisScale::Logarithmic}, {1, 2}).shows(0));
}

TEST_CASE("shown_scale: logarithmic where values span more than a factor of thirty, unless it is told") {
  const auto is_logarithmic = [](double low, double high, AxisScale scale) {
    return shown_scale({{"", ""}, scale}, {low, high}).is_logarithmic;
  };
  CHECK_FALSE(is_logarithmic(1, 29, AxisScale::Automatic));
  CHECK(is_logarithmic(1, 31, AxisScale::Automatic));
  CHECK_FALSE(is_logarithmic(0, 1000, AxisScale::Automatic));
  CHECK_FALSE(is_logarithmic(1, 1000, AxisScale::Linear));
  CHECK(is_logarithmic(1, 2, AxisScale::Logarithmic));
}

TEST_CASE("shown_scale: ticks are powers of two of bytes, else 1, 2 and 5 of decades, or decades") {
  using Ticks = std::vector<double>;
  CHECK(shown_scale({{"", "B"}, {}}, {1024, 65536}).ticks ==
        Ticks{1024, 2048, 4096, 8192, 16384, 32768, 65536});
  CHECK(shown_scale({{"", ""}, {}}, {1, 100}).ticks == Ticks{1, 2, 5, 10, 20, 50, 100});
  CHECK(shown_scale({{"", ""}, {}}, {1, 1e5}).ticks == Ticks{1, 10, 100, 1000, 1e4, 1e5});
}

}  // namespace tensordsl::report
