// The number of another type that has the same bits: reinterpret(x), of as many bits as x. An intrinsic,
// because its operand has another type than it.
#pragma once

#include <string_view>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

inline constexpr std::string_view kReinterpret = "reinterpret";

inline bool is_reinterpret(const ExprNode& e) {
  return e.kind == ExprKind::Intrinsic && e.name == kReinterpret;
}

/// True if a number of `from` has the bits of one of `to`; bools have none that are said.
constexpr bool can_reinterpret(Type to, Type from) {
  return to.bits == from.bits && to.lanes == from.lanes && !to.is_bool() && !from.is_bool();
}

}  // namespace tensordsl::ir
