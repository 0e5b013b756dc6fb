#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// The element of input 0 at point `r` of the spatial dimensions.
Expr spatial_element(const OperatorOperands& operands, const std::vector<Var>& vars, const RDom& r) {
  std::vector<Expr> at{vars[0], vars[1]};
  at.insert(at.end(), r.axes().begin(), r.axes().end());
  return accumulated(read(operands, 0, at));
}

RDom spatial_domain(const Shape& x) {
  std::vector<std::pair<Expr, Expr>> ranges;
  for (std::size_t d = 2; d < x.size(); ++d) ranges.emplace_back(0, index(x[d]));
  return RDom(ranges, "r");
}

}  // namespace

std::vector<Func> global_average_pool(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const std::vector<Var> vars = image_vars(operands.output().shape);
  Func sum(operands.name + "_sum");
  sum(vars) += spatial_element(operands, vars, spatial_domain(x));
  const Size count = element_count(Shape(x.begin() + 2, x.end()));
  return {output(operands, vars, sum(vars) / number(sum.type(), count))};
}

std::vector<Func> global_lp_pool(const OperatorOperands& operands) {
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const auto p = operands.attributes.get<std::int64_t>("p");
  Func sum(operands.name + "_sum");
  sum(vars) += norm_power(spatial_element(operands, vars, spatial_domain(operands.infos[0].shape)), p);
  return {output(operands, vars, norm_root(sum(vars), p))};
}

std::vector<Func> global_max_pool(const OperatorOperands& operands) {
  const std::vector<Var> vars = image_vars(operands.output().shape);
  Func max(operands.name + "_max");
  max(vars).maximize(spatial_element(operands, vars, spatial_domain(operands.infos[0].shape)));
  return {output(operands, vars, max(vars))};
}

}  // namespace tensordsl::ops::definitions
