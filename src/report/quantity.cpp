#include "report/quantity.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace tensordsl::report {
namespace {

std::string digits(double value) {
  if (std::abs(value) >= 1000 && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

std::string with_unit(double value, std::string_view unit) {
  return unit.empty() ? digits(value) : fmt::format("{} {}", digits(value), unit);
}

}  // namespace

std::string quantity(double value, std::string_view unit) {
  if (unit == "B") {
    for (const auto& [prefix, factor] : {std::pair{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}) {
      if (value >= factor) return with_unit(value / factor, prefix);
    }
  }
  if (unit == "s") {
    for (const auto& [prefix, factor] : {std::pair{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}}) {
      if (value >= factor) return with_unit(value / factor, prefix);
    }
    return with_unit(value * 1e9, "ns");
  }
  if (value >= 1000 && (unit == "GFLOPS" || unit == "GB/s" || unit == "Gop/s"))
    return with_unit(value / 1000, "T" + std::string(unit.substr(1)));
  return with_unit(value, unit);
}

}  // namespace tensordsl::report
