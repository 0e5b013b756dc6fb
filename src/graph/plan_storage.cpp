#include "graph/plan_storage.h"

#include <fmt/format.h>

#include <set>

#include "graph/absorb_movement.h"
#include "graph/choose_layouts.h"
#include "graph/find_aliases.h"
#include "graph/place_loops.h"
#include "graph/place_parts.h"
#include "graph/place_states.h"

namespace tensordsl {

std::size_t TensorStorage::owner(std::size_t tensor) const {
  auto found = within.find(tensor);
  while (found != within.end()) {
    tensor = found->second;
    found = within.find(tensor);
  }
  return tensor;
}

TensorStorage plan_storage(const DefinitionGraph& graph, std::vector<Group>& groups,
                           const Optimizations& optimizations) {
  TensorStorage storage;
  storage.reasons.resize(graph.tensors.size());
  storage.layouts =
      optimizations.layout_selection ? choose_layouts(graph, &storage.reasons) : row_major_layouts(graph);
  storage.within = place_states(graph, groups, storage.layouts);
  if (optimizations.fusion) storage.within.merge(place_parts(graph, groups, storage.layouts, storage.within));
  for (const auto& [part, whole] : storage.within) {
    storage.reasons[part] = fmt::format("a part of %{}, where that has it", graph.tensors[whole].name);
    if (graph.tensors[part].func.is_input())
      storage.reasons[whole] = fmt::format("grows in the memory of the state %{}", graph.tensors[part].name);
  }
  std::set<std::size_t> made;  // without a kernel
  for (const auto& [part, whole] : storage.within) made.insert(whole);
  storage.within.merge(place_loops(graph, storage.layouts));
  if (optimizations.movement_elimination) {
    const std::vector<Layout> chosen = storage.layouts;
    absorb_movement(graph, groups, storage.within, storage.layouts);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!(storage.layouts[i] == chosen[i]))
        storage.reasons[i] = "in the order of the movements that read it, which then move nothing";
    }
    const Aliases aliases = find_aliases(graph, groups, storage.layouts, storage.within);
    for (const auto& [tensor, source] : aliases.sources) made.insert(tensor);
    for (const auto& [tensor, owner] : aliases.within) {
      storage.within.emplace(tensor, owner);
      if (aliases.sources.contains(tensor))
        storage.reasons[tensor] =
            fmt::format("another name for the memory of %{}", graph.tensors[owner].name);
      else if (storage.reasons[tensor].empty())
        storage.reasons[tensor] = fmt::format("in the memory of %{}", graph.tensors[owner].name);
    }
  }
  std::erase_if(groups, [&](const Group& group) { return made.contains(group.stored_tensors[0]); });
  return storage;
}

}  // namespace tensordsl
