// Expressions that the definitions of operators share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/operator_operands.h"
#include "tensordsl/buffer.h"

namespace tensordsl::ops::definitions {

/// An index, extent or offset. Throws ShapeError if it is not an i32, as all indices are.
Expr index(const Size& value);
/// index * factor, index / factor and index + offset, or `index` itself where that is the same.
Expr scaled(const Expr& index, const Size& factor);
Expr divided(const Expr& index, const Size& factor);
Expr shifted(const Expr& index, const Size& offset);
/// `value` as a constant for arithmetic with elements of `type`; integers truncate and saturate.
Expr constant(Type type, double value);
/// `value` as a constant for arithmetic with elements of `type`: a literal, exact for integers, if it is
/// known.
Expr number(Type type, const Size& value);
/// Element `i` of a constant, exact.
Expr element(const Buffer& value, std::int64_t i);
/// `value` in the type it is summed in: f32 for f16, i32 for integers of 8 and 16 bits, else its own.
Expr accumulated(const Expr& value);

/// Makes `func` the largest of the values over an RDom, ignoring NaNs: such a maximum is one instruction, and
/// the values that use the result pass NaNs on anyway.
void take_largest_number(Func& func, const std::vector<Var>& vars, const Expr& value);
/// Makes `func` the smallest of them likewise.
void take_smallest_number(Func& func, const std::vector<Var>& vars, const Expr& value);
/// a / b, which of integers truncates toward zero, as ONNX's does; the language's floors.
Expr truncating_quotient(const Expr& a, const Expr& b);

/// The larger and the smaller of the two; a NaN if one of them is, unlike max and min of the language.
Expr larger(const Expr& a, const Expr& b);
Expr smaller(const Expr& a, const Expr& b);
/// `value` in [low, high]; `high` where it is below `low`. A NaN stays one: bounds that are literals cost a
/// comparison and a select each.
Expr limited(const Expr& value, const Expr& low, const Expr& high);

/// |value|^p, and the p-th root of a sum of such.
Expr norm_power(const Expr& value, std::int64_t p);
Expr norm_root(const Expr& sum, std::int64_t p);
/// The index that an element of an index tensor means along a dimension: a negative one counts from the end.
Expr from_end(const Expr& value, const Size& extent);
/// The index of from_end(), clamped into the dimension whatever the tensor holds.
Expr index_inside(const Expr& value, const Size& extent);

/// d0, d1, ..: one for each dimension; a scalar has one as well.
std::vector<Var> index_vars(const Shape& shape);
/// n, c, h, w for a shape of 4 dimensions, otherwise index_vars.
std::vector<Var> image_vars(const Shape& shape);

/// The element of input `i` at `indices`, one for each of its dimensions.
Expr read(const OperatorOperands& operands, std::size_t i, const std::vector<Expr>& indices);
/// Returns the indices, in a tensor of shape `from`, of the element that ONNX's broadcasting to shape `to`
/// puts at `vars`.
std::vector<Expr> broadcast_indices(const Shape& from, const Shape& to, const std::vector<Var>& vars);
/// Returns the element of input `i` that ONNX's broadcasting puts at `vars` of the output.
Expr read_broadcast(const OperatorOperands& operands, std::size_t i, const std::vector<Var>& vars);

/// The output Func: `value` at `vars`, in the type of the output.
Func output(const OperatorOperands& operands, const std::vector<Var>& vars, const Expr& value);
/// The Func of output `i`: `value` at `vars`, in the type of that output. Its name is derived from the first
/// output's.
Func output(const OperatorOperands& operands, std::size_t i, const std::vector<Var>& vars, const Expr& value);

}  // namespace tensordsl::ops::definitions
