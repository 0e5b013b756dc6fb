#include "graph/find_aliases.h"

#include <algorithm>
#include <optional>
#include <set>

#include "classify/movement.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

/// Without those of extent 1, which take no room.
std::vector<int> without_units(const std::vector<int>& dims, const std::vector<Expr>& extents) {
  std::vector<int> result;
  for (const int dim : dims) {
    const std::int64_t* extent = ir::as_int(extents[static_cast<std::size_t>(dim)]);
    if (!extent || *extent != 1) result.push_back(dim);
  }
  return result;
}

/// The dimensions as they lie in memory; nothing if one is cut or has gaps.
std::optional<std::vector<int>> order_in_memory(const DefinedTensor& tensor, const Layout& layout) {
  std::vector<int> dims;
  for (const Layout::Term& term : layout.terms()) {
    if (term.part != Layout::Term::Part::Whole || term.gap != 0 || term.lead != 0 || term.swizzle)
      return std::nullopt;
    dims.push_back(term.dim);
  }
  return without_units(dims, tensor.extents());
}

bool is_row_major_in_memory(const DefinedTensor& tensor, const Layout& layout) {
  const auto order = order_in_memory(tensor, layout);
  return order && std::ranges::is_sorted(*order);
}

}  // namespace

std::map<std::size_t, std::size_t> find_aliases(const DefinitionGraph& graph,
                                                const std::vector<Group>& groups,
                                                const std::vector<Layout>& layouts) {
  const TensorFuncs funcs(graph);
  std::map<std::size_t, std::size_t> aliases;
  std::set<std::size_t>
      turned;  // aliases of memory that is not row-major, which the host cannot read as theirs
  for (const Group& group : groups) {
    if (group.tensors.size() != 1 || !group.prologue.empty() || !group.epilogue.empty()) continue;
    const std::size_t index = group.tensors[0];
    const DefinedTensor& tensor = graph.tensors[index];
    const std::vector<std::size_t> reads = funcs.reads_of({tensor.func});
    if (reads.size() != 1) continue;
    const DefinedTensor& source = graph.tensors[reads[0]];
    const auto movement = classify::movement_of(tensor.func.contents(), tensor.extents(), source.extents());
    if (!movement || movement->source_order.empty()) continue;
    const bool is_same =
        !source.constant && source.type() == tensor.type() &&
        is_row_major_in_memory(tensor, layouts[index]) &&
        order_in_memory(source, layouts[reads[0]]) == without_units(movement->source_order, source.extents());
    if (!is_same) continue;
    const bool is_turned = turned.contains(reads[0]) || !is_row_major_in_memory(source, layouts[reads[0]]);
    if (is_turned && graph.is_read_by_host(index)) continue;
    aliases.emplace(index, reads[0]);
    if (is_turned) turned.insert(index);
  }
  return aliases;
}

}  // namespace tensordsl
