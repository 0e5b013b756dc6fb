#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// Selects one of several equal extrema.
enum class Choice { First, Last };

/// Returns the position along `axis` of the largest or smallest element, as found at `row` of Funcs over
/// `vars`. `at`: the indices of an element, of which the one of the axis is ignored.
Expr place_of_extremum(const OperatorOperands& operands, const std::vector<Var>& vars,
                       const std::vector<Expr>& row, std::vector<Expr> at, std::size_t axis, bool is_largest,
                       Choice choice) {
  const Size extent = operands.infos[0].shape[axis];
  const RDom r({{0, index(extent)}}, "r");
  at[axis] = r;
  const Expr value = accumulated(read(operands, 0, at));

  Func best(operands.name + "_best"), place(operands.name + "_place");
  is_largest ? best(vars).maximize(value) : best(vars).minimize(value);
  // A NaN is beyond all numbers, as in NumPy.
  const Expr is_best = value == best(row) || is_nan(value);
  choice == Choice::First ? place(vars).minimize(select(is_best, r, index(extent - 1)))
                          : place(vars).maximize(select(is_best, r, 0));
  return place(row);
}

std::vector<Func> argument(const OperatorOperands& operands, bool is_largest) {
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const bool keeps_dims = operands.attributes.get<std::int64_t>("keepdims") != 0;
  const bool takes_last = operands.attributes.get<std::int64_t>("select_last_index") != 0;
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> at;
  for (std::size_t d = 0; d < operands.infos[0].shape.size(); ++d)
    at.push_back(d == axis ? Expr(0) : Expr(vars[d > axis && !keeps_dims ? d - 1 : d]));
  return {output(operands, vars,
                 place_of_extremum(operands, vars, {vars.begin(), vars.end()}, at, axis, is_largest,
                                   takes_last ? Choice::Last : Choice::First))};
}

}  // namespace

std::vector<Func> arg_max(const OperatorOperands& operands) { return argument(operands, true); }

std::vector<Func> arg_min(const OperatorOperands& operands) { return argument(operands, false); }

std::vector<Func> hardmax(const OperatorOperands& operands) {
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> row(vars.begin(), vars.end());
  row[axis] = 0;
  const Expr place = place_of_extremum(operands, vars, row, row, axis, true, Choice::First);
  return {output(operands, vars, select(vars[axis] == place, 1, 0))};
}

}  // namespace tensordsl::ops::definitions
