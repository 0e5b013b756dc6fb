// Four products of 8-bit integers that are added to an i32: dot_product(a, b, c), with a and b each i8x4 or
// u8x4. It is an intrinsic for an operation that some devices do in one instruction.
#pragma once

#include <string_view>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

inline constexpr std::string_view kDotProduct = "dot_product";
inline constexpr int kDotProductLanes = 4;

inline bool is_dot_product(const ExprNode& e) {
  return e.kind == ExprKind::Intrinsic && e.name == kDotProduct;
}

/// True if a dot product takes elements of that type.
constexpr bool is_dot_product_type(Type element) { return element == Int(8) || element == UInt(8); }

}  // namespace tensordsl::ir
