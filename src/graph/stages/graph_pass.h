// A pass of the graph compiler, and the loop that runs a list of them.
#pragma once

#include <span>
#include <string_view>

#include "graph/stages/graph.h"

namespace tensordsl::graph {

struct GraphPass {
  std::string_view name;
  std::string_view summary;  ///< what the pass does, as one clause
  void (*run)(Graph& graph, const GraphContext& context);
  bool (*is_enabled)(const CompileOptions& options) = nullptr;  ///< null: always
  /// The first pass that goes by such refusals: from here the passes run again once there is a new one.
  Refusals goes_by = {};
};

/// Runs the passes over the graph, in order. A pass that refuses something (Fallbacks grow) sends the graph
/// back to the pass that is marked with it, in the state before that pass. This is a fixed point, which ends
/// because there are finitely many tensors and strategies to refuse. Throws InternalError if no pass is
/// marked with the refusal. `logs`: Graph::log gets a record of each pass.
void run_passes(std::span<const GraphPass> passes, Graph& graph, const CompileOptions& options, bool logs);

}  // namespace tensordsl::graph
