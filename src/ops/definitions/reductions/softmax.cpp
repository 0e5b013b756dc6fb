#include <limits>

#include "ir/nodes/expr_node.h"
#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

Expr unguarded(const Expr& x) { return x; }

/// value(x - top(max), the sum of e^(x - top(max))) along the axis
template <typename Value, typename Top = decltype(unguarded)>
std::vector<Func> of_row(const OperatorOperands& operands, const Value& value, const Top& top = unguarded) {
  const Shape& x = operands.infos[0].shape;
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const std::vector<Var> vars = index_vars(x);
  const RDom r({{0, index(x[axis])}}, "r");

  std::vector<Expr> along_axis(vars.begin(), vars.end()), row(vars.begin(), vars.end());
  along_axis[axis] = r;
  row[axis] = 0;

  Func max(operands.name + "_max"), sum(operands.name + "_sum");
  take_largest_number(max, vars, accumulated(read(operands, 0, along_axis)));
  // Less the largest, no power exceeds 1, so neither it nor the sum overflows.
  const Expr largest = top(max(row));
  sum(vars) += exp(read(operands, 0, along_axis) - largest);
  return {output(operands, vars, value(read_broadcast(operands, 0, vars) - largest, sum(row)))};
}

}  // namespace

std::vector<Func> log_softmax(const OperatorOperands& operands) {
  return of_row(operands, [](const Expr& x, const Expr& sum) { return x - log(sum); });
}

std::vector<Func> masked_softmax(const OperatorOperands& operands) {
  // Less 0 the powers of a masked row are 0, and so is their sum. That of another row is 1 or more.
  const auto largest = [](const Expr& max) {
    return select(max == ir::make_float(max.type(), -std::numeric_limits<double>::infinity()), 0, max);
  };
  return of_row(
      operands, [](const Expr& x, const Expr& sum) { return exp(x) / select(sum == 0, 1, sum); }, largest);
}

std::vector<Func> softmax(const OperatorOperands& operands) {
  return of_row(operands, [](const Expr& x, const Expr& sum) { return exp(x) / sum; });
}

}  // namespace tensordsl::ops::definitions
