#include "graph/find_aliases.h"

#include <optional>
#include <set>

#include "graph/layout_of_source.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

bool is_row_major(const DefinedTensor& tensor, const Layout& layout) {
  return canonical(layout, tensor.extents()) == canonical(Layout::row_major(layout.rank()), tensor.extents());
}

bool lies_alike(const DefinedTensor& moved, const Layout& layout, const DefinedTensor& source,
                const Layout& of_source) {
  const auto wanted = layout_of_source(moved, source, layout);
  return wanted && canonical(*wanted, source.extents()) == canonical(of_source, source.extents());
}

}  // namespace

std::map<std::size_t, std::size_t> find_aliases(const DefinitionGraph& graph,
                                                const std::vector<Group>& groups,
                                                const std::vector<Layout>& layouts,
                                                const std::map<std::size_t, std::size_t>& within) {
  const TensorFuncs funcs(graph);
  std::map<std::size_t, std::size_t> aliases;
  std::set<std::size_t> turned;  // aliases of memory that the host cannot read as theirs
  std::set<std::size_t> placed;  // sources that lie in a part
  for (const Group& group : groups) {
    if (group.tensors.size() != 1 || !group.prologue.empty() || !group.epilogue.empty()) continue;
    const std::size_t index = group.tensors[0];
    const DefinedTensor& tensor = graph.tensors[index];
    const std::vector<std::size_t> reads = funcs.reads_of({tensor.func});
    if (reads.size() != 1) continue;
    const std::size_t from = reads[0];
    const DefinedTensor& source = graph.tensors[from];
    if (source.constant || !lies_alike(tensor, layouts[index], source, layouts[from])) continue;
    if (within.contains(index)) {
      const bool has_place = source.func.is_input() || graph.is_read_by_host(from) || within.contains(from) ||
                             aliases.contains(from);
      if (has_place || !placed.insert(from).second) continue;
    }
    const bool is_turned = turned.contains(from) || !is_row_major(source, layouts[from]);
    if (is_turned && graph.is_read_by_host(index)) continue;
    aliases.emplace(index, from);
    if (is_turned) turned.insert(index);
  }
  return aliases;
}

}  // namespace tensordsl
