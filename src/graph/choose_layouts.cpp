#include "graph/choose_layouts.h"

namespace tensordsl {

std::vector<Layout> choose_layouts(const DefinitionGraph& graph) {
  const Layout channels_last = Layout::of({{.dim = 0}, {.dim = 2}, {.dim = 3}, {.dim = 1}});
  std::vector<Layout> layouts;
  for (const DefinedTensor& tensor : graph.tensors) {
    const int rank = tensor.func.rank();
    layouts.push_back(rank == 4 ? channels_last : Layout::row_major(rank));
  }
  return layouts;
}

Group with_layouts(Group group, const std::vector<Layout>& layouts) {
  for (GroupOperand& operand : group.operands) operand.stored.layout = layouts[operand.tensor];
  for (std::size_t i = 0; i < group.outputs.size(); ++i)
    group.stored[i].layout = layouts[group.stored_tensors[i]];
  return group;
}

}  // namespace tensordsl
