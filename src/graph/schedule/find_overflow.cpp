#include "graph/schedule/find_overflow.h"

#include <cmath>
#include <span>

namespace tensordsl::graph {
namespace {

/// The least value whose nearest f16 is infinity: half a unit above the largest f16.
constexpr double kOverflows = 65520;

template <typename T>
Overflow overflow_of(std::span<const T> values) {
  Overflow found;
  for (const T value : values) {
    if (!(std::abs(value) >= T(kOverflows)) || std::isinf(value)) continue;
    if (found.values++ == 0) found.first = value;
  }
  return found;
}

}  // namespace

std::optional<Overflow> find_overflow(const Buffer& constant, Type type) {
  if (type != Float(16)) return std::nullopt;
  Overflow found;
  if (constant.type() == Float(32)) found = overflow_of(constant.as<float>());
  if (constant.type() == Float(64)) found = overflow_of(constant.as<double>());
  return found.values > 0 ? std::optional(found) : std::nullopt;
}

}  // namespace tensordsl::graph
