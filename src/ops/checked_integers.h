// Arithmetic of sizes' numbers, which says where 64 bits do not hold the result.
#pragma once

#include <cstdint>

namespace tensordsl::ops {

/// Arithmetic that throws ShapeError if the result leaves 64 bits.
std::int64_t checked_sum(std::int64_t a, std::int64_t b);
std::int64_t checked_product(std::int64_t a, std::int64_t b);
/// Returns the floor of a / b, and 0 for a b of 0.
std::int64_t floored_quotient(std::int64_t a, std::int64_t b);

}  // namespace tensordsl::ops
