#include "graph/store/place_tensors.h"

#include <fmt/format.h>

#include <set>

#include "graph/store/place_concatenations.h"
#include "graph/store/place_loops.h"
#include "graph/store/place_states.h"
#include "graph/views/choose_layouts.h"
#include "graph/views/find_aliases.h"
#include "graph/views/propagate_layouts.h"

namespace tensordsl::graph {

void place_tensors(Graph& graph, const GraphContext& context) {
  const DefinitionGraph& definitions = graph.definitions;
  const Optimizations& optimizations = context.options.optimizations;
  std::vector<FusedGroup>& groups = graph.groups;
  TensorStorage& storage = graph.storage;
  storage = {};
  graph.fused = groups;
  storage.reasons.resize(definitions.tensors.size());
  storage.layouts = optimizations.layout_selection ? choose_layouts(definitions, &storage.reasons)
                                                   : row_major_layouts(definitions);
  storage.within = place_states(definitions, groups, storage.layouts);
  if (optimizations.fusion)
    storage.within.merge(place_concatenations(definitions, groups, storage.layouts, storage.within));
  for (const auto& [part, whole] : storage.within) {
    storage.reasons[part] = fmt::format("a part of %{}, where that has it", definitions.tensors[whole].name);
    if (definitions.tensors[part].func.is_input())
      storage.reasons[whole] =
          fmt::format("grows in the memory of the state %{}", definitions.tensors[part].name);
  }
  std::set<std::size_t> made;  // without a kernel
  for (const auto& [part, whole] : storage.within) made.insert(whole);
  storage.within.merge(place_loops(definitions, storage.layouts));
  if (optimizations.movement_elimination) {
    const std::vector<Layout> chosen = storage.layouts;
    propagate_layouts(definitions, groups, storage.within, storage.layouts);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!(storage.layouts[i] == chosen[i]))
        storage.reasons[i] = "in the order of the movements that read it, which then move nothing";
    }
    const Aliases aliases = find_aliases(definitions, groups, storage.layouts, storage.within);
    for (const auto& [tensor, source] : aliases.sources) made.insert(tensor);
    for (const auto& [tensor, owner] : aliases.within) {
      storage.within.emplace(tensor, owner);
      if (aliases.sources.contains(tensor))
        storage.reasons[tensor] =
            fmt::format("another name for the memory of %{}", definitions.tensors[owner].name);
      else if (storage.reasons[tensor].empty())
        storage.reasons[tensor] = fmt::format("in the memory of %{}", definitions.tensors[owner].name);
    }
  }
  std::erase_if(groups, [&](const FusedGroup& group) { return made.contains(group.stored_tensors[0]); });
  graph.placed = groups;
}

}  // namespace tensordsl::graph
