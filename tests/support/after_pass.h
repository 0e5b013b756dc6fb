// Passes of the graph compiler one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "graph/fuse/fuse_sliding_windows.h"
#include "graph/stages/graph.h"
#include "graph/store/place_tensors.h"
#include "graph/winograd/use_winograd.h"

namespace tensordsl::testing {

using GraphPassFunction = void (*)(graph::Graph& graph, const graph::GraphContext& context);
using NameSet = std::set<std::string>;

/// The graph's definitions after a pass over them.
template <GraphPassFunction pass>
definitions::DefinitionGraph after(definitions::DefinitionGraph definitions,
                                   const graph::CompileOptions& options = {},
                                   graph::PassNotes* notes = nullptr, const NameSet& apart = {}) {
  graph::Graph graph;
  graph.definitions = std::move(definitions);
  graph.fallbacks.refuse(graph::Refusal::Together, apart);
  pass(graph, {options, notes});
  return std::move(graph.definitions);
}

/// `kept`: kinds of nodes that the host computes. `apart`: tensors that stay unfused, because a device has
/// refused them with others.
template <GraphPassFunction pass>
definitions::DefinitionGraph after(definitions::DefinitionGraph definitions, const Target& target,
                                   const NameSet& kept = {}, const NameSet& apart = {},
                                   graph::PassNotes* notes = nullptr) {
  graph::CompileOptions options;
  options.target = target;
  options.on_host = kept;
  return after<pass>(std::move(definitions), options, notes, apart);
}

template <GraphPassFunction pass>
definitions::DefinitionGraph after(definitions::DefinitionGraph definitions, const NameSet& kept) {
  return after<pass>(std::move(definitions), Target(), kept);
}

template <GraphPassFunction pass>
definitions::DefinitionGraph after(definitions::DefinitionGraph definitions, graph::PassNotes* notes) {
  return after<pass>(std::move(definitions), graph::CompileOptions(), notes);
}

template <GraphPassFunction pass>
definitions::DefinitionGraph after(definitions::DefinitionGraph definitions, WeightPrecision weights) {
  graph::CompileOptions options;
  options.weights = weights;
  return after<pass>(std::move(definitions), options);
}

/// The groups after a pass that makes them, or that changes `groups`.
template <GraphPassFunction pass>
std::vector<definitions::FusedGroup> groups_after(const definitions::DefinitionGraph& definitions,
                                                  std::vector<definitions::FusedGroup> groups = {},
                                                  const Target& target = {},
                                                  const graph::Fallbacks& fallbacks = {}) {
  graph::Graph graph;
  graph.definitions = definitions;
  graph.groups = std::move(groups);
  graph.fallbacks = fallbacks;
  graph::CompileOptions options;
  options.target = target;
  pass(graph, {options});
  return std::move(graph.groups);
}

/// Returns the storage of tensors. Removes groups that then need no kernel.
inline graph::TensorStorage placed(const definitions::DefinitionGraph& definitions,
                                   std::vector<definitions::FusedGroup>& groups,
                                   const Optimizations& optimizations = {}) {
  graph::Graph graph;
  graph.definitions = definitions;
  graph.groups = std::move(groups);
  graph::CompileOptions options;
  options.optimizations = optimizations;
  choose_layouts(graph, {options});
  place_states(graph, {options});
  if (optimizations.fusion) place_concatenations(graph, {options});
  place_loops(graph, {options});
  if (optimizations.movement_elimination) propagate_layouts(graph, {options});
  if (optimizations.movement_elimination) alias_views(graph, {options});
  remove_made_groups(graph, {options});
  groups = std::move(graph.groups);
  return std::move(graph.storage);
}

/// The tensors that are computed in Winograd's domain from then on.
inline std::set<std::size_t> in_winograd_domain(definitions::DefinitionGraph& definitions,
                                                std::vector<definitions::FusedGroup>& groups,
                                                graph::TensorStorage& storage, const Target& target,
                                                const NameSet& apart = {},
                                                std::optional<std::int64_t> budget = std::nullopt) {
  graph::Graph graph;
  graph.definitions = std::move(definitions);
  graph.groups = std::move(groups);
  graph.storage = std::move(storage);
  graph.fallbacks.refuse(graph::Refusal::Winograd, apart);
  graph::CompileOptions options;
  options.target = target;
  options.winograd_budget = budget;
  use_winograd(graph, {options});
  std::set<std::size_t> changed;
  for (const definitions::FusedGroup& group : graph.groups) {
    if (std::holds_alternative<definitions::WinogradForm>(group.form))
      changed.insert(group.stored_tensors[0]);
  }
  definitions = std::move(graph.definitions);
  groups = std::move(graph.groups);
  storage = std::move(graph.storage);
  return changed;
}

/// The groups after fuse_sliding_windows.
inline std::vector<definitions::FusedGroup> with_sliding_windows(
    const definitions::DefinitionGraph& definitions, std::vector<definitions::FusedGroup> groups,
    const graph::TensorStorage& storage, const Target& target, const graph::Fallbacks& fallbacks = {}) {
  graph::Graph graph;
  graph.definitions = definitions;
  graph.groups = std::move(groups);
  graph.storage = storage;
  graph.fallbacks = fallbacks;
  graph::CompileOptions options;
  options.target = target;
  fuse_sliding_windows(graph, {options});
  return std::move(graph.groups);
}

}  // namespace tensordsl::testing
