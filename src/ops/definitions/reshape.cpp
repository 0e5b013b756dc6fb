#include "ir/expr_node.h"
#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {
namespace {

/// The indices, in a tensor of shape `from`, of the element at place `vars` of the same elements in shape
/// `to`.
///
/// Both shapes fall into groups of neighboring dimensions that hold as many elements, such as [2,12,5] ->
/// [2,3,4,5] into 2 -> 2, 12 -> 3,4 and 5 -> 5; only within a group is the linear index taken and split
/// again. A dimension of extent 1 has the index 0 and is in no group of its own.
std::vector<Expr> regrouped(const Shape& from, const Shape& to, const std::vector<Var>& vars) {
  std::vector<Expr> indices(from.size(), 0);
  const auto skip_units = [](const Shape& shape, std::size_t d) {
    while (d < shape.size() && shape[d] == 1) ++d;
    return d;
  };
  std::size_t i = skip_units(from, 0), o = skip_units(to, 0);
  while (i < from.size()) {
    const std::size_t first = i;
    std::int64_t count = from[i++], held = to[o];
    Expr linear = vars[o++];
    while (count != held) {
      if (count < held) {
        count *= from[i++];
      } else {
        if (to[o] != 1) linear = scaled(linear, to[o]) + vars[o];
        held *= to[o++];
      }
    }
    std::int64_t below = count;
    for (std::size_t d = first; d < i; ++d) {
      if (from[d] == 1) continue;
      below /= from[d];
      indices[d] = divided(linear, below);
      if (d != first) indices[d] = indices[d] % index(from[d]);
    }
    i = skip_units(from, i);
    o = skip_units(to, o);
  }
  return indices;
}

}  // namespace

std::vector<Func> reshape(const OperatorOperands& operands) {
  const Shape &from = operands.infos[0].shape, &to = operands.output().shape;
  const std::vector<Var> vars = index_vars(to);
  return {output(operands, vars, read(operands, 0, regrouped(from, to, vars)))};
}

std::vector<Func> dropout(const OperatorOperands& operands) {
  std::vector<Func> results = reshape(operands);
  if (operands.outputs.size() > 1) {
    const std::vector<Var> vars = index_vars(operands.outputs[1].shape);
    Func mask(operands.name + "_mask");
    mask(vars) = ir::make_bool(true);
    results.push_back(mask);
  }
  return results;
}

}  // namespace tensordsl::definitions
