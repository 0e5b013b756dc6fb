#include "graph/store/place_tensors.h"

#include <fmt/format.h>

#include "graph/store/place_concatenations.h"
#include "graph/store/place_loops.h"
#include "graph/store/place_states.h"
#include "graph/views/choose_layouts.h"
#include "graph/views/find_aliases.h"
#include "graph/views/propagate_layouts.h"

namespace tensordsl::graph {
namespace {

/// Adds parts, by tensor its whole, which is complete once its parts are.
void add_parts(Graph& graph, const std::map<std::size_t, std::size_t>& parts) {
  const std::vector<definitions::DefinedTensor>& tensors = graph.definitions.tensors;
  TensorStorage& storage = graph.storage;
  for (const auto& [part, whole] : parts) {
    storage.within.emplace(part, whole);
    storage.made.insert(whole);
    storage.reasons[part] = fmt::format("part of %{}", tensors[whole].name);
    if (tensors[part].func.is_input())
      storage.reasons[whole] = fmt::format("grows in the memory of the state %{}", tensors[part].name);
  }
}

}  // namespace

void choose_layouts(Graph& graph, const GraphContext& context) {
  TensorStorage& storage = graph.storage;
  storage = {};
  storage.reasons.resize(graph.definitions.tensors.size());
  storage.layouts = context.options.optimizations.layout_selection
                        ? choose_layouts(graph.definitions, &storage.reasons)
                        : row_major_layouts(graph.definitions);
}

void place_states(Graph& graph, const GraphContext&) {
  add_parts(graph, place_states(graph.definitions, graph.groups, graph.storage.layouts));
}

void place_concatenations(Graph& graph, const GraphContext&) {
  add_parts(graph, place_concatenations(graph.definitions, graph.groups, graph.storage.layouts,
                                        graph.storage.within));
}

void place_loops(Graph& graph, const GraphContext&) {
  graph.storage.within.merge(place_loops(graph.definitions, graph.storage.layouts));
}

void propagate_layouts(Graph& graph, const GraphContext&) {
  TensorStorage& storage = graph.storage;
  const std::vector<Layout> chosen = storage.layouts;
  propagate_layouts(graph.definitions, graph.groups, storage.within, storage.layouts);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!(storage.layouts[i] == chosen[i]))
      storage.reasons[i] =
          "in the order of the layout transformations that read it, so that they copy nothing";
  }
}

void alias_views(Graph& graph, const GraphContext&) {
  TensorStorage& storage = graph.storage;
  const Aliases aliases = find_aliases(graph.definitions, graph.groups, storage.layouts, storage.within);
  for (const auto& [tensor, source] : aliases.sources) storage.made.insert(tensor);
  for (const auto& [tensor, owner] : aliases.within) {
    const std::string& name = graph.definitions.tensors[owner].name;
    storage.within.emplace(tensor, owner);
    if (aliases.sources.contains(tensor))
      storage.reasons[tensor] = fmt::format("an alias of %{}", name);
    else if (storage.reasons[tensor].empty())
      storage.reasons[tensor] = fmt::format("in the memory of %{}", name);
  }
}

void remove_made_groups(Graph& graph, const GraphContext&) {
  graph.fused = graph.groups;
  std::erase_if(graph.groups, [&](const definitions::FusedGroup& group) {
    return graph.storage.made.contains(group.stored_tensors[0]);
  });
  graph.placed = graph.groups;
}

}  // namespace tensordsl::graph
