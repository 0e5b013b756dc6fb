#include "hwprofile/report/axis.h"

#include <algorithm>
#include <cmath>

namespace tensordsl::hwprofile {
namespace {

constexpr std::size_t kMaxTicks = 9;

/// Every n-th, so that few enough are left.
std::vector<double> thinned(const std::vector<double>& ticks) {
  const std::size_t step = (ticks.size() + kMaxTicks - 1) / kMaxTicks;
  std::vector<double> kept;
  for (std::size_t i = 0; i < ticks.size(); i += std::max<std::size_t>(step, 1)) kept.push_back(ticks[i]);
  return kept;
}

}  // namespace

std::string unit_of(const std::string& axis) {
  const auto open = axis.rfind('('), close = axis.rfind(')');
  if (open != std::string::npos && close != std::string::npos && open < close)
    return axis.substr(open + 1, close - open - 1);
  for (const char* unit : {"s", "ns", "GB/s", "GFLOPS", "Gop/s"}) {
    if (axis == unit) return axis;
  }
  return "";
}

std::string name_of(const std::string& axis) {
  if (axis == "s" || axis == "ns") return "time";
  if (axis == "GB/s") return "bandwidth";
  if (axis == "GFLOPS" || axis == "Gop/s") return "rate";
  const auto open = axis.rfind(" (");
  return open == std::string::npos ? axis : axis.substr(0, open);
}

Axis::Axis(double low, double high, double first, double last, const std::string& unit)
    : low_(low),
      high_(high),
      first_(first),
      last_(last),
      is_logarithmic_(low > 0 && high > 30 * low),
      is_binary_(unit == "B") {
  if (!is_logarithmic_) {
    if (low_ < 0.6 * high_) low_ = 0;
    const double margin = 0.06 * (high_ - low_);
    high_ += margin;
    if (low_ > 0) low_ = std::max(0.0, low_ - margin);
  }
  // What differs by rounding alone is one value.
  if (high_ - low_ <= 1e-6 * std::abs(high_)) high_ = low_ + std::max(1e-12, std::abs(low_) * 0.1);
}

double Axis::place(double value) const {
  const double v = std::clamp(value, low_, high_);
  const double share =
      is_logarithmic_ ? std::log(v / low_) / std::log(high_ / low_) : (v - low_) / (high_ - low_);
  return first_ + share * (last_ - first_);
}

double Axis::round_step(double least) const {
  if (is_binary_) return std::pow(2, std::ceil(std::log2(least)));
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double part : {1.0, 2.0, 5.0}) {
    if (part * decade >= least) return part * decade;
  }
  return 10 * decade;
}

std::vector<double> Axis::ticks() const {
  std::vector<double> ticks;
  if (is_logarithmic_) {
    const double base = is_binary_ ? 2 : 10;
    const bool is_short = !is_binary_ && high_ < 1000 * low_;
    const double first = std::floor(std::log(low_) / std::log(base)),
                 last = std::ceil(std::log(high_) / std::log(base));
    for (double power = first; power <= last && power - first < 400; ++power) {
      const double decade = std::pow(base, power);
      for (const double part : {1.0, 2.0, 5.0}) {
        if (part > 1 && !is_short) break;
        if (decade * part >= low_ * 0.9999 && decade * part <= high_ * 1.0001) ticks.push_back(decade * part);
      }
    }
    return thinned(ticks);
  }
  const double step = round_step((high_ - low_) / 6);
  const double first = std::ceil(low_ / step), last = std::floor(high_ / step + 1e-9);
  for (double count = first; count <= last && ticks.size() < 100; ++count) ticks.push_back(count * step);
  return thinned(ticks);
}

}  // namespace tensordsl::hwprofile
