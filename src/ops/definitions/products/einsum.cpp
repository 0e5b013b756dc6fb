#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/einsum_equation.h"

namespace tensordsl::ops::definitions {

std::vector<Func> einsum(const OperatorOperands& operands) {
  std::vector<Shape> shapes;
  for (const TensorInfo& info : operands.infos) shapes.push_back(info.shape);
  const EinsumEquation equation(operands.attributes.get<std::string>("equation"), shapes);
  const std::vector<Var> vars = index_vars(operands.output().shape);

  std::vector<std::pair<Expr, Expr>> ranges;
  for (const EinsumEquation::Label label : equation.summed)
    ranges.emplace_back(0, index(equation.extents.at(label)));
  if (ranges.empty()) ranges.emplace_back(0, 1);
  const RDom r(ranges, "r");
  std::map<EinsumEquation::Label, Expr> index_of;
  for (std::size_t i = 0; i < equation.output.size(); ++i) index_of[equation.output[i]] = vars[i];
  for (std::size_t i = 0; i < equation.summed.size(); ++i)
    index_of[equation.summed[i]] = r[static_cast<int>(i)];

  Expr product;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    std::vector<Expr> at;
    for (std::size_t d = 0; d < shapes[i].size(); ++d) {
      const EinsumEquation::Label label = equation.inputs[i][d];
      const bool is_repeated = shapes[i][d] == Size(1) && equation.extents.at(label) != Size(1);
      at.push_back(is_repeated ? Expr(0) : index_of.at(label));
    }
    const Expr factor = accumulated(read(operands, i, at));
    product = product.defined() ? product * factor : factor;
  }
  if (equation.summed.empty()) return {output(operands, vars, product)};
  Func sum(operands.name + "_sum");
  sum(vars) += product;
  return {output(operands, vars, sum(vars))};
}

}  // namespace tensordsl::ops::definitions
