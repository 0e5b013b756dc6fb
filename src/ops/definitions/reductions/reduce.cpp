#include <algorithm>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// The elements of the input that the element of the output at `vars` is made of, by the axes of one RDom.
Expr reduced_element(const OperatorOperands& operands, const std::vector<Var>& vars) {
  const Shape& x = operands.infos[0].shape;
  const Ints& axes = operands.attributes.get<Ints>("axes");
  const bool keeps_dims = operands.attributes.get<std::int64_t>("keepdims") != 0;
  if (axes.empty()) return read_broadcast(operands, 0, vars);

  std::vector<std::pair<Expr, Expr>> ranges;
  for (const std::int64_t axis : axes) ranges.emplace_back(0, index(x[static_cast<std::size_t>(axis)]));
  const RDom r(ranges, "r");
  std::vector<Expr> at;
  std::size_t kept = 0;
  for (std::size_t d = 0, reduced = 0; d < x.size(); ++d) {
    if (!std::ranges::binary_search(axes, static_cast<std::int64_t>(d))) {
      at.emplace_back(vars[kept++]);
      continue;
    }
    at.emplace_back(r[static_cast<int>(reduced++)]);
    if (keeps_dims) ++kept;
  }
  return read(operands, 0, at);
}

/// Returns the number of reduced elements.
Size reduced_count(const OperatorOperands& operands) {
  Shape extents;
  for (const std::int64_t axis : operands.attributes.get<Ints>("axes"))
    extents.push_back(operands.infos[0].shape[static_cast<std::size_t>(axis)]);
  return element_count(extents);
}

/// `value` in the floating-point type in which functions with non-integer results are computed.
Expr real(const Expr& value) { return value.type().is_float() ? accumulated(value) : cast(Float(32), value); }

/// finish(the sum of part(x))
template <typename Part, typename Finish>
std::vector<Func> reduced_sum(const OperatorOperands& operands, const Part& part, const Finish& finish) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  Func sum(operands.name + "_sum");
  sum(vars) += part(accumulated(reduced_element(operands, vars)));
  return {output(operands, vars, finish(sum(vars)))};
}

Expr itself(const Expr& x) { return x; }
Expr square(const Expr& x) { return x * x; }

/// The square root; of an integer, the largest integer whose square is not above it.
Expr root(const Expr& x) {
  if (x.type().is_float()) return sqrt(x);
  const Expr near = cast(x.type(), sqrt(x));
  return select(near * near > x, near - 1, select((near + 1) * (near + 1) <= x, near + 1, near));
}

/// Converts to a type that has a largest and a smallest value.
Expr comparable(const Expr& value) {
  if (value.type().is_bool()) return cast(UInt(8), value);
  return value.type().is_float() ? accumulated(value) : value;
}

}  // namespace

std::vector<Func> reduce_l1(const OperatorOperands& operands) {
  return reduced_sum(
      operands, [](const Expr& x) { return abs(x); }, itself);
}

std::vector<Func> reduce_l2(const OperatorOperands& operands) { return reduced_sum(operands, square, root); }

std::vector<Func> reduce_log_sum(const OperatorOperands& operands) {
  return reduced_sum(operands, itself, [](const Expr& sum) { return log(sum); });
}

std::vector<Func> reduce_log_sum_exp(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr x = real(reduced_element(operands, vars));
  Func max(operands.name + "_max"), sum(operands.name + "_sum");
  take_largest_number(max, vars, x);
  // Less the largest, no power exceeds 1. Less an infinite one it would be no number.
  const Expr largest = select(is_finite(max(vars)), max(vars), 0);
  sum(vars) += exp(x - largest);
  return {output(operands, vars, log(sum(vars)) + largest)};
}

std::vector<Func> reduce_max(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  Func max(operands.name + "_max");
  max(vars).maximize(comparable(reduced_element(operands, vars)));
  return {output(operands, vars, max(vars))};
}

std::vector<Func> reduce_mean(const OperatorOperands& operands) {
  const Size count = reduced_count(operands);
  return reduced_sum(operands, itself,
                     [&](const Expr& sum) { return truncating_quotient(sum, number(sum.type(), count)); });
}

std::vector<Func> reduce_min(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  Func min(operands.name + "_min");
  min(vars).minimize(comparable(reduced_element(operands, vars)));
  return {output(operands, vars, min(vars))};
}

std::vector<Func> reduce_prod(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  Func product(operands.name + "_product");
  product(vars) *= accumulated(reduced_element(operands, vars));
  return {output(operands, vars, product(vars))};
}

std::vector<Func> reduce_sum(const OperatorOperands& operands) {
  return reduced_sum(operands, itself, itself);
}

std::vector<Func> reduce_sum_square(const OperatorOperands& operands) {
  return reduced_sum(operands, square, itself);
}

}  // namespace tensordsl::ops::definitions
