// Defines every operator, cast and intrinsic for every element type. The interpreter, the simulator and the
// constant folder look them up here; they are defined nowhere else. A backend must print code that computes
// the same.
//
// A new operator is an entry in operations.cpp, a new intrinsic one in intrinsics.cpp, a new element type a
// line of with_element in base/scalar.h. tests/ir/operations_test.cpp compares all of them with the host's
// results.
#pragma once

#include "base/scalar.h"
#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Computes one lane. Operands that the operation does not have are ignored.
using Operation = Scalar (*)(Scalar a, Scalar b, Scalar c);

/// Returns the operator (Add to Not) on operands of `type`; null if there is none. Integers wrap; division
/// and modulo floor, and by 0 are 0; float minimum and maximum ignore a NaN, and arithmetic on f16 is that on
/// f32, rounded. Vectors have the operations of their elements.
Operation find_operator(ExprKind kind, Type type);

/// Returns the cast, as `converted` of base/scalar.h; casts of f16 go through f32, rounded.
Operation find_cast(Type to, Type from);

/// Returns the operation that reinterprets the bits of a value of `from` as `to`; null if there is none. The
/// bits of a NaN may change to another NaN's.
Operation find_reinterpretation(Type to, Type from);

/// Returns the operation of an operator, cast or intrinsic node in each lane, for operands of `type`; null
/// for every other node. And and Or compute both operands; callers with a lazy form decide when it applies.
Operation operation_of(const ExprNode& node, Type type);
Operation operation_of(const ExprNode& node);

/// True if the exact sum, difference, product or quotient of two values of an integer type is not a value of
/// it. A u64 is given by its bits.
bool overflows(ExprKind kind, Type type, std::int64_t a, std::int64_t b);

}  // namespace tensordsl::ir
