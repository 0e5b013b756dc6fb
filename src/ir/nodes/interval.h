// Arithmetic on closed integer intervals.
//
// The limits of int64 stand for "unknown", so every operation saturates and an unknown end stays unknown.
// Division and modulo are the IR's: they floor, and anything by 0 is 0.
#pragma once

#include <cstdint>

#include "base/arithmetic.h"
#include "tensordsl/type.h"

namespace tensordsl::ir {

using tensordsl::floor_div;
using tensordsl::floor_mod;

/// A closed integer interval; an end that is not known is the type's limit.
struct Interval {
  std::int64_t low = INT64_MIN;
  std::int64_t high = INT64_MAX;

  static constexpr Interval point(std::int64_t value) { return {value, value}; }
  constexpr bool is_point() const { return low == high; }
  constexpr bool contains(std::int64_t value) const { return low <= value && value <= high; }
  constexpr bool contains(Interval other) const { return low <= other.low && other.high <= high; }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

/// Returns the values that an integer or Bool type can hold; for u64 those that are below "unknown".
Interval range_of(Type type);

std::int64_t saturating_add(std::int64_t a, std::int64_t b);
std::int64_t saturating_mul(std::int64_t a, std::int64_t b);

Interval operator+(Interval a, Interval b);
Interval operator-(Interval a);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
Interval floor_div(Interval a, Interval b);
Interval floor_mod(Interval a, Interval b);
Interval min(Interval a, Interval b);
Interval max(Interval a, Interval b);
/// Returns the values of a & b, or `any` if both may be negative: the result has no more bits than an operand
/// that is not negative.
Interval bits_in_both(Interval a, Interval b, Interval any);
/// Returns the values of a | b and of a ^ b, or `any` if one of them may be negative or past i32.
Interval bits_in_either(Interval a, Interval b, Interval any);
/// Returns the smallest interval that holds both.
Interval hull(Interval a, Interval b);

}  // namespace tensordsl::ir
