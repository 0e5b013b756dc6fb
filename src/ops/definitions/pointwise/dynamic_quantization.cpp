#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// The smallest and the largest of some elements of the input, for each element at `vars`.
struct Extremes {
  /// Computes the extremes of the elements whose indices begin with `first`, over all of the other
  /// dimensions.
  Extremes(const OperatorOperands& operands, const std::vector<Var>& vars, const std::vector<Expr>& first)
      : low(operands.name + "_low"), high(operands.name + "_high") {
    const Shape& x = operands.infos[0].shape;
    std::vector<std::pair<Expr, Expr>> ranges;
    for (std::size_t d = first.size(); d < x.size(); ++d) ranges.emplace_back(0, index(x[d]));
    if (ranges.empty()) ranges.emplace_back(0, 1);
    const RDom r(ranges, "r");
    std::vector<Expr> at = first;
    if (x.size() > first.size()) at.insert(at.end(), r.axes().begin(), r.axes().end());
    const Expr element = x.empty() ? operands.input(0)(r) : read(operands, 0, at);
    take_smallest_number(low, vars, element);
    take_largest_number(high, vars, element);
  }

  Func low, high;
};

}  // namespace

std::vector<Func> row_extremes(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const std::vector<Var> row(vars.begin(), vars.end() - 1);
  const Extremes of_row(operands, row, std::vector<Expr>(row.begin(), row.end()));
  return {output(operands, vars, select(vars.back() == 0, of_row.low(row), of_row.high(row)))};
}

std::vector<Func> quantization_parameters(const OperatorOperands& operands) {
  const std::vector<Var> one{Var("d0")};
  const Extremes of_all(operands, one, {});
  // The range includes 0, so that 0 is represented exactly.
  const Expr lowest = min(of_all.low(0), 0), range = max(of_all.high(0), 0) - lowest;
  const Expr scale = select(range == 0, 1, range / 255);
  return {output(operands, one, select(one[0] == 0, scale, round(-lowest / scale)))};
}

}  // namespace tensordsl::ops::definitions
