#include <algorithm>
#include <optional>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/pointwise/narrowed.h"
#include "ops/definitions/products/products.h"
#include "ops/element_types.h"

namespace tensordsl::ops::definitions {
namespace {

/// Quantizes `value`, in units of the scale; the cast limits it to the range of the type.
Expr quantized(Type type, const Expr& value, const Expr& zero) {
  return cast(type, zero.defined() ? round(value) + cast(Float(32), zero) : round(value));
}

/// Returns input `i`, a scale or zero point, for the element at `at` of a tensor: one for all, a vector with
/// one for each `of_vector`, or of the tensor's dimensions, with 1 for those along which it is the same.
/// Undefined if it is absent.
Expr parameter(const OperatorOperands& operands, std::size_t i, const std::vector<Expr>& at,
               const Expr& of_vector) {
  if (!operands.has_input(i)) return {};
  const Shape& shape = operands.infos[i].shape;
  if (shape.size() == 1 && shape[0] != Size(1)) return read(operands, i, {of_vector});
  std::vector<Expr> indices;
  for (std::size_t d = 0; d < shape.size(); ++d)
    indices.push_back(shape[d] == Size(1) ? Expr(0) : at[at.size() - shape.size() + d]);
  return read(operands, i, indices);
}

/// Returns the type that x/scale is computed in, by the attribute precision; nothing where that leaves it
/// open.
std::optional<Type> precision_of(const Attributes& attributes) {
  const auto number = attributes.get<std::int64_t>("precision", 0);
  return number == 0 ? std::nullopt : std::optional(element_type("precision", number));
}

/// x/scale in `precision`, or as precisely as the scale is accumulated. That of two numbers of f16 is
/// rounded once.
Expr quotient_in(const std::optional<Type>& precision, const Expr& x, const Expr& scale) {
  const Type type = precision.value_or(accumulated(scale).type());
  const Expr quotient = accumulated(cast(type, x)) / accumulated(cast(type, scale));
  return accumulated(cast(type, quotient));
}

/// The scale or zero point `i` of a whole tensor.
Expr parameter(const OperatorOperands& operands, std::size_t i) { return parameter(operands, i, {}, {}); }

/// The scale or zero point `i` of a tensor, along the attribute axis or in blocks along it.
Expr linear_parameter(const OperatorOperands& operands, std::size_t i, const std::vector<Var>& vars) {
  std::vector<Expr> at(vars.begin(), vars.end());
  if (!operands.attributes.has("axis")) return parameter(operands, i);
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const std::int64_t block = operands.attributes.get<std::int64_t>("block_size");
  if (block > 0) {
    at[axis] = divided(at[axis], block);
    return operands.has_input(i) ? read(operands, i, at) : Expr();
  }
  return parameter(operands, i, at, at[axis]);
}

/// Reads input `i`, one for all channels of the weights, input `weights`, or one for each: a vector, or with
/// ones after it.
Expr channel_parameter(const OperatorOperands& operands, std::size_t i, std::size_t weights,
                       const Var& channel) {
  std::vector<Expr> at(operands.infos[weights].shape.size(), Expr(0));
  at[0] = channel;
  return parameter(operands, i, at, channel);
}

/// sum (x - x_zero)*(w - w_zero). Input `sums`, if present, has the sums of w for each output channel, and
/// there is no w_zero: then it is sum x*w - x_zero*(sum w). See onnx/rewrite/fold_zero_points.h.
Expr integer_conv(const OperatorOperands& operands, const std::vector<Var>& vars, std::size_t weights,
                  const Expr& x_zero, const Expr& w_zero, std::size_t sums) {
  const Expr border = x_zero.defined() ? x_zero : 0;
  if (!operands.has_input(sums)) return conv_sum(operands, vars, weights, border, x_zero, w_zero)(vars);
  return conv_sum(operands, vars, weights, border, {}, {})(vars) -
         accumulated(x_zero) * read(operands, sums, {vars[1]});
}

/// A matrix product of the inputs `a` and `b`, whose zero points are the inputs `a_zero` and `b_zero`. Input
/// `sums` is as for integer_conv, of the columns of b.
struct IntegerProduct {
  IntegerProduct(const OperatorOperands& operands, std::size_t a, std::size_t a_zero, std::size_t b,
                 std::size_t b_zero, std::size_t sums)
      : vars(index_vars(operands.output().shape)), sum(operands.name + "_sum") {
    const RDom r({{0, index(operands.infos[a].shape.back())}}, "r");
    at = matrix_elements(operands, vars, a, b, r);
    const bool has_sums = operands.has_input(sums);
    const Expr left_zero = of_row(operands, a_zero);
    const Expr left = less_zero(read(operands, a, at.a), has_sums ? Expr() : left_zero);
    sum(vars) += left * less_zero(read(operands, b, at.b), of_column(operands, b_zero));
    value = sum(vars);
    if (!has_sums) return;
    std::vector<Expr> columns = at.b;
    columns.erase(columns.end() - (columns.size() > 1 ? 2 : 1));
    if (columns.empty()) columns.emplace_back(0);
    value = value - accumulated(left_zero) * read(operands, sums, columns);
  }

  Expr of_row(const OperatorOperands& operands, std::size_t i) const {
    return parameter(operands, i, at.a, at.a.size() > 1 ? at.a[at.a.size() - 2] : Expr(0));
  }
  Expr of_column(const OperatorOperands& operands, std::size_t i) const {
    return parameter(operands, i, at.b, at.b.back());
  }

  std::vector<Var> vars;
  MatrixElements at;
  Func sum;
  Expr value;
};

}  // namespace

std::vector<Func> conv_integer(const OperatorOperands& operands) {
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const Expr weights_zero = channel_parameter(operands, 3, 1, vars[1]);
  return {output(operands, vars, integer_conv(operands, vars, 1, parameter(operands, 2), weights_zero, 4))};
}

std::vector<Func> dequantize_linear(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr value = less_zero(read_broadcast(operands, 0, vars), linear_parameter(operands, 2, vars));
  const Expr scale = linear_parameter(operands, 1, vars);
  return {output(operands, vars, cast(accumulated(scale).type(), value) * scale)};
}

std::vector<Func> matmul_integer(const OperatorOperands& operands) {
  const IntegerProduct product(operands, 0, 2, 1, 3, 4);
  return {output(operands, product.vars, product.value)};
}

std::vector<Func> qlinear_conv(const OperatorOperands& operands) {
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const auto of_channel = [&](std::size_t i) { return channel_parameter(operands, i, 3, vars[1]); };
  Expr sum = integer_conv(operands, vars, 3, parameter(operands, 2), of_channel(5), 9);
  if (operands.has_input(8)) sum = sum + read(operands, 8, {vars[1]});
  const Expr scale = parameter(operands, 1) * of_channel(4) / parameter(operands, 6);
  const Expr value = cast(Float(32), sum) * scale;
  return {output(operands, vars, quantized(operands.output().type, value, parameter(operands, 7)))};
}

std::vector<Func> qlinear_matmul(const OperatorOperands& operands) {
  const IntegerProduct product(operands, 0, 2, 3, 5, 8);
  const Expr scale = product.of_row(operands, 1) * product.of_column(operands, 4) / parameter(operands, 6);
  const Expr value = cast(Float(32), product.value) * scale;
  return {output(operands, product.vars, quantized(operands.output().type, value, parameter(operands, 7)))};
}

std::vector<Func> quantize_linear(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Attributes& attributes = operands.attributes;
  const Expr zero = linear_parameter(operands, 2, vars);
  const Expr value = quotient_in(precision_of(attributes), read_broadcast(operands, 0, vars),
                                 linear_parameter(operands, 1, vars));
  const NarrowType* narrow = find_narrow_type(attributes.get<std::int64_t>("output_dtype"));
  if (!narrow) return {output(operands, vars, quantized(operands.output().type, value, zero))};
  const Expr whole = narrow->held.is_integer() ? round(value) : value;
  const Expr moved = zero.defined() ? whole + cast(whole.type(), zero) : whole;
  const bool saturates = attributes.get<std::int64_t>("saturate") != 0;
  return {output(operands, vars,
                 narrow->held.is_integer() ? saturated_integer(moved, *narrow)
                                           : narrowed_float(moved, *narrow, saturates))};
}

}  // namespace tensordsl::ops::definitions
