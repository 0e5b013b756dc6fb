#include "graph/rewrite/weight_use.h"

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::graph {

std::optional<WeightUse> weight_use(const classify::Access& access, const ir::Function& sum) {
  WeightUse use;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const classify::IndexMap& index = access.indices[d];
    const auto axis = std::ranges::find_if(
        sum.dims, [&](const std::string& dim) { return ir::uses_var(index.index, dim); });
    if (axis == sum.dims.end()) continue;
    if (!index.is_axis(*axis)) return std::nullopt;
    use.dims.push_back(d);
    use.axes.push_back(*axis);
  }
  return use;
}

std::optional<classify::Contraction> product_roles(const ir::Function& sum) {
  if (sum.definitions.size() != 2 || sum.is_tuple()) return std::nullopt;
  const Expr& first = sum.definitions[0].value();
  if (first.type() != Float(32) || !ir::is_const(ir::simplify(first), 0)) return std::nullopt;
  const classify::Classification kind = classify::classify(sum);
  if (kind.kind != classify::Class::Contraction || kind.reads.size() != 2) return std::nullopt;
  return kind.roles;
}

std::vector<Expr> extents_of(const Buffer& constant) {
  std::vector<Expr> extents;
  for (const std::int64_t extent : constant.shape()) extents.emplace_back(static_cast<int>(extent));
  return extents;
}

}  // namespace tensordsl::graph
