#include "report/axis_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>

namespace tensordsl::report {
namespace {

constexpr std::size_t kMostTicks = 9;

/// Powers of two of bytes; 1, 2 and 5 of each decade, or only decades; every n-th, so that few enough are
/// left.
std::vector<double> logarithmic_ticks(double low, double high, bool is_binary) {
  for (const bool is_fine : {true, false}) {
    std::vector<double> ticks;
    const double base = is_binary ? 2 : 10;
    const double first = std::floor(std::log(low) / std::log(base)),
                 last = std::ceil(std::log(high) / std::log(base));
    const double step = is_fine ? 1 : std::ceil((last - first) / static_cast<double>(kMostTicks));
    for (double power = first; power <= last; power += step) {
      for (const double part : {1.0, 2.0, 5.0}) {
        const double tick = part * std::pow(base, power);
        if (part > 1 && (is_binary || !is_fine)) break;
        if (tick >= low && tick <= high) ticks.push_back(tick);
      }
    }
    if (!is_fine || ticks.size() <= kMostTicks) return ticks;
  }
  return {};
}

}  // namespace

bool ShownScale::shows(double value) const { return std::isfinite(value) && (!is_logarithmic || value > 0); }

double ShownScale::share(double value) const {
  return is_logarithmic ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low))
                        : (value - low) / (high - low);
}

ShownScale shown_scale(const Axis& axis, const std::vector<double>& values) {
  const auto has_place = [&](double value) {
    return std::isfinite(value) && (axis.scale != AxisScale::Logarithmic || value > 0);
  };
  const auto finite = values | ranges::views::filter(has_place) | ranges::to<std::vector>();
  if (finite.empty()) return {axis.scale == AxisScale::Logarithmic, 1, 2, {}};
  const auto [least, most] = std::minmax_element(finite.begin(), finite.end());
  double low = *least, high = *most;
  constexpr double kWide = 30;
  const bool is_logarithmic = axis.scale == AxisScale::Logarithmic ||
                              (axis.scale == AxisScale::Automatic && low > 0 && high / kWide > low);
  // Values that differ only by rounding are shown as one, with room on both sides.
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-6 * size) {
    low -= 0.1 * size;
    high += 0.1 * size;
  }
  if (is_logarithmic) {
    const double room = std::exp(0.04 * (std::log(high) - std::log(low)));
    low = std::max(low / room, std::numeric_limits<double>::min());
    high = std::min(high * room, std::numeric_limits<double>::max());
    return {true, low, high, logarithmic_ticks(low, high, axis.what.unit == "B")};
  }
  const double room = 0.05 * (high - low);
  if (low > 0 && low < 0.6 * high) return {false, 0, high + room, {}};
  if (low == high) return {false, low - 1, high + 1, {}};  // all are 0
  return {false, low >= 0 ? std::max(0.0, low - room) : low - room, high + room, {}};
}

}  // namespace tensordsl::report
