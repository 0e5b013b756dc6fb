#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> transpose(const OperatorOperands& operands) {
  const Ints& perm = operands.attributes.get<Ints>("perm");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> at(perm.size());
  for (std::size_t d = 0; d < perm.size(); ++d) at[static_cast<std::size_t>(perm[d])] = vars[d];
  return {output(operands, vars, read(operands, 0, at))};
}

}  // namespace tensordsl::ops::definitions
