// Integers of any type in 64 bits.
#pragma once

#include <cstdint>

#include "tensordsl/type.h"

namespace tensordsl {

/// Returns `value` modulo 2^bits, as a value of the integer type; of a Bool 0 or 1. One function for all
/// types: the runtime has it, whose size counts.
inline std::int64_t wrapped_to(Type type, std::int64_t value) {
  if (type.is_bool()) return value != 0;
  const int unused = 64 - type.bits;
  const auto bits = static_cast<std::uint64_t>(value) << unused;
  return type.is_uint() ? static_cast<std::int64_t>(bits >> unused)
                        : static_cast<std::int64_t>(bits) >> unused;
}

/// Returns true if a < b as values of the type.
inline bool is_less(Type type, std::int64_t a, std::int64_t b) {
  return type.is_uint() ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b) : a < b;
}

}  // namespace tensordsl
