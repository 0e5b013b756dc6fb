#include "ir/nodes/expr_node.h"
#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// True if the first of two groups has fewer elements. If sizes are unknown, neither may be a multiple of the
/// other; then it does not matter which grows first.
bool fits_in(const Size& count, const Size& other) {
  if (const auto less = is_less(count, other)) return *less;
  return exact_quotient(other, count).has_value();
}

/// Computes index / (a * b * c). If sizes are unknown it divides one by one, from the last on, because the
/// quotient by a product of unknown sizes has no known bound.
Expr divided_by_all(Expr index, const Sizes& extents) {
  const Size below = element_count(Shape(extents));
  if (below.is_known() || below.symbols().size() == 1) return divided(index, below);
  for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) index = divided(index, *extent);
  return index;
}

/// The indices, in a tensor of shape `from`, of the element at `vars` of the same elements in shape `to`.
///
/// Both shapes fall into groups of neighboring dimensions that hold as many elements, such as [2,12,5] ->
/// [2,3,4,5] into 2 -> 2, 12 -> 3,4 and 5 -> 5; only within a group is the linear index taken and split
/// again. A dimension of extent 1 has the index 0 and is in no group of its own.
std::vector<Expr> regrouped_indices(const Shape& from, const Shape& to, const std::vector<Var>& vars) {
  std::vector<Expr> indices(from.size(), 0);
  const auto skip_units = [](const Shape& shape, std::size_t d) {
    while (d < shape.size() && shape[d] == Size(1)) ++d;
    return d;
  };
  std::size_t i = skip_units(from, 0), o = skip_units(to, 0);
  while (i < from.size()) {
    const std::size_t first = i;
    Size count = from[i++], held = to[o];
    Expr linear = vars[o++];
    while (count != held) {
      if (o == to.size() || (i < from.size() && fits_in(count, held))) {
        count *= from[i++];
      } else {
        if (to[o] != Size(1)) linear = scaled(linear, to[o]) + vars[o];
        held *= to[o++];
      }
    }
    for (std::size_t d = first; d < i; ++d) {
      if (from[d] == Size(1)) continue;
      indices[d] = divided_by_all(linear, {from.begin() + static_cast<std::ptrdiff_t>(d) + 1,
                                           from.begin() + static_cast<std::ptrdiff_t>(i)});
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
  return {output(operands, vars, read(operands, 0, regrouped_indices(from, to, vars)))};
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

}  // namespace tensordsl::ops::definitions
