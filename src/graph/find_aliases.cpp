#include "graph/find_aliases.h"

#include "classify/movement.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

/// Whether the elements lie in memory as they are written. Dimensions of extent 1 take no room.
bool is_row_major_in_memory(const DefinedTensor& tensor, const Layout& layout) {
  const std::vector<Expr> extents = tensor.extents();
  int last = -1;
  for (const Layout::Term& term : layout.terms()) {
    if (term.part != Layout::Term::Part::Whole || term.gap != 0 || term.lead != 0 || term.swizzle)
      return false;
    const std::int64_t* extent = ir::as_int(extents[static_cast<std::size_t>(term.dim)]);
    if (extent && *extent == 1) continue;
    if (term.dim < last) return false;
    last = term.dim;
  }
  return true;
}

}  // namespace

std::map<std::size_t, std::size_t> find_aliases(const DefinitionGraph& graph,
                                                const std::vector<Group>& groups,
                                                const std::vector<Layout>& layouts) {
  const TensorFuncs funcs(graph);
  std::map<std::size_t, std::size_t> aliases;
  for (const Group& group : groups) {
    if (group.tensors.size() != 1 || !group.prologue.empty() || !group.epilogue.empty()) continue;
    const std::size_t index = group.tensors[0];
    const DefinedTensor& tensor = graph.tensors[index];
    const std::vector<std::size_t> reads = funcs.reads_of({tensor.func});
    if (reads.size() != 1) continue;
    const DefinedTensor& source = graph.tensors[reads[0]];
    const auto movement = classify::movement_of(tensor.func.contents(), tensor.extents(), source.extents());
    const bool is_same = movement && movement->keeps_order && !source.constant &&
                         source.type() == tensor.type() && is_row_major_in_memory(tensor, layouts[index]) &&
                         is_row_major_in_memory(source, layouts[reads[0]]);
    if (is_same) aliases.emplace(index, reads[0]);
  }
  return aliases;
}

}  // namespace tensordsl
