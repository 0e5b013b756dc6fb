// lowered[3] refused: "the kernel needs 40 KiB of local memory"   ->   refused(Together): {"%attention"}
// Needs: scheduled or lowered groups.  Gives: the features that groups give up when the passes run again.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// How to replace a group by several simpler ones: the feature to turn off, and the tensors for which to turn
/// it off.
struct Alternative {
  Refusal without = Refusal::Together;
  std::set<std::string> names;
};
/// Returns the alternative of a group in Winograd's domain, of a group whose windows slide over a
/// contraction, or of a group of several tensors in one kernel.
std::optional<Alternative> alternative_of(const Graph& graph, const definitions::FusedGroup& group);

/// Groups that CompileOptions::better_apart says are slower than their alternative are computed by that.
void split_slower_groups(Graph& graph, const GraphContext& context);

/// Decides the fallback of a refused group: first without images, then without a tuned schedule, then without
/// the Winograd domain or sliding windows, then by a strategy's named fallback, then as several kernels, then
/// by any other strategy; with a warning for each. Once no strategy is left the host computes it.
void choose_fallbacks(Graph& graph, const GraphContext& context);

/// Limits the items of work-groups that the driver finds too large, once it has built their kernels. Where
/// they were limited before, the group does without something, as in choose_fallbacks.
void fit_work_groups(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
