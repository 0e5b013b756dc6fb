// The value of operators on constants: what the device would compute.
#pragma once

#include <cstdint>

#include "ir/expr_node.h"

namespace tensordsl::ir {

/// Floored quotient; 0 if b is 0; wraps for INT64_MIN / -1.
std::int64_t floor_div(std::int64_t a, std::int64_t b);
/// a - floor_div(a, b)*b; 0 if b is 0.
std::int64_t floor_mod(std::int64_t a, std::int64_t b);

// int64 arithmetic that wraps instead of being undefined. Wrapping keeps sums right modulo 2^32 too.
std::int64_t wrapping_add(std::int64_t a, std::int64_t b);
std::int64_t wrapping_sub(std::int64_t a, std::int64_t b);
std::int64_t wrapping_mul(std::int64_t a, std::int64_t b);

/// The constant that `expr` is if all its operands are constants; undefined if it has none: a NaN or an
/// infinity has no text form, and intrinsics are left to the device.
Expr fold_constants(const Expr& expr);

}  // namespace tensordsl::ir
