#include "onnx_data/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace tensordsl::conformance {
namespace {

std::string type_of(const Buffer& buffer) {
  return fmt::format("{}[{}]", to_string(buffer.type()), fmt::join(buffer.shape(), ","));
}

bool is_near(double found, double expected) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected) || std::isinf(found)) return found == expected;
  return std::fabs(found - expected) <= kAbsoluteTolerance + kRelativeTolerance * std::fabs(expected);
}

}  // namespace

std::optional<std::string> difference(const Buffer& found, const Buffer& expected) {
  if (found.type() != expected.type() || found.shape() != expected.shape())
    return fmt::format("it is {}, not {}", type_of(found), type_of(expected));
  const bool is_float = expected.type().is_float();
  std::int64_t wrong = 0, worst = 0;
  double largest = -1;
  for (std::int64_t i = 0; i < expected.elements(); ++i) {
    if (is_float ? is_near(found.get(i), expected.get(i)) : found.get_int(i) == expected.get_int(i)) continue;
    ++wrong;
    const double distance = std::fabs(found.get(i) - expected.get(i));
    // A NaN is worse than any distance.
    if (std::isnan(largest) || distance <= largest) continue;
    largest = distance;
    worst = i;
  }
  if (wrong == 0) return std::nullopt;
  const auto text = [&](const Buffer& of) {
    return is_float ? fmt::format("{:.6g}", of.get(worst)) : fmt::format("{}", of.get_int(worst));
  };
  return fmt::format("{} of {} elements differ; element {} is {}, not {}", wrong, expected.elements(), worst,
                     text(found), text(expected));
}

}  // namespace tensordsl::conformance
