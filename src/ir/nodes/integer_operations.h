// Integer operations of hardware: replacements of the language's flooring `/` and `%` after strength
// reduction, and the language's own operations on bits. They are intrinsics with two operands of the node's
// type; intrinsics.cpp defines them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

enum class IntegerOperationKind : std::uint8_t {
  TruncatingDiv,  // rounds toward 0; not by 0, and not the least value by -1
  TruncatingMod,  // remainder of that division, with the sign of the dividend
  ShiftLeft,      // drops bits that do not fit; the distance is modulo the bits of the type
  ShiftRight,     // distance likewise; the sign of a signed integer fills the high bits
  BitwiseAnd,
  BitwiseOr,
  BitwiseXor,
};

struct IntegerOperation {
  std::string_view name;    // name of the intrinsic
  std::string_view symbol;  // operator in C
  IntegerOperationKind kind;
};

inline constexpr std::array<IntegerOperation, 7> kIntegerOperations{{
    {"truncating_div", "/", IntegerOperationKind::TruncatingDiv},
    {"truncating_mod", "%", IntegerOperationKind::TruncatingMod},
    {"shift_left", "<<", IntegerOperationKind::ShiftLeft},
    {"shift_right", ">>", IntegerOperationKind::ShiftRight},
    {"bitwise_and", "&", IntegerOperationKind::BitwiseAnd},
    {"bitwise_or", "|", IntegerOperationKind::BitwiseOr},
    {"bitwise_xor", "^", IntegerOperationKind::BitwiseXor},
}};

/// Returns the operation of that name; null if there is none.
constexpr const IntegerOperation* find_integer_operation(std::string_view name) {
  for (const IntegerOperation& o : kIntegerOperations) {
    if (o.name == name) return &o;
  }
  return nullptr;
}

constexpr const IntegerOperation& operation_of(IntegerOperationKind kind) {
  return kIntegerOperations[static_cast<std::size_t>(kind)];
}

inline Expr make_integer_operation(IntegerOperationKind kind, const Expr& a, const Expr& b) {
  return make_intrinsic(a.type(), std::string(operation_of(kind).name), {a, b});
}

}  // namespace tensordsl::ir
