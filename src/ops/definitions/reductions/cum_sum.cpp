#include <functional>
#include <string>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// Combines each element along the axis with all before it, or after it; `neutral` if there is none.
std::vector<Func> cumulated(const OperatorOperands& operands, const std::string& part, int neutral,
                            const std::function<Expr(const Expr&, const Expr&)>& combine) {
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const bool is_exclusive = operands.attributes.get<std::int64_t>("exclusive") != 0;
  const bool is_reverse = operands.attributes.get<std::int64_t>("reverse") != 0;
  const Expr last = index(operands.output().shape[axis] - 1);
  const std::vector<Var> vars = index_vars(operands.output().shape);

  const auto along = [&](const Expr& place) {
    std::vector<Expr> at(vars.begin(), vars.end());
    at[axis] = place;
    return at;
  };
  Func sum(operands.name + part);
  const RDom r({{1, last}}, "r");
  sum(vars) = accumulated(read_broadcast(operands, 0, vars));
  if (is_reverse) {
    sum(along(last - r)) = combine(sum(along(last - r)), sum(along(last - r + 1)));
  } else {
    sum(along(r)) = combine(sum(along(r)), sum(along(Expr(r) - 1)));
  }

  const Var& place = vars[axis];
  if (!is_exclusive) return {output(operands, vars, sum(vars))};
  const Expr others = is_reverse ? sum(along(min(place + 1, last))) : sum(along(max(place - 1, 0)));
  return {output(operands, vars, select(place == (is_reverse ? last : Expr(0)), neutral, others))};
}

}  // namespace

std::vector<Func> cum_prod(const OperatorOperands& operands) {
  return cumulated(operands, "_product", 1, [](const Expr& a, const Expr& b) { return a * b; });
}

std::vector<Func> cum_sum(const OperatorOperands& operands) {
  return cumulated(operands, "_sum", 0, [](const Expr& a, const Expr& b) { return a + b; });
}

}  // namespace tensordsl::ops::definitions
