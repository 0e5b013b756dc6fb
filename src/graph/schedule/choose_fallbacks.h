// lowered[3] refused: "the kernel needs 40 KiB of local memory"   ->   fallbacks.together: {"%attention"}
// Needs: scheduled or lowered groups.  Gives: what groups do without when the passes run again.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// A group that can be computed by other groups: what they would do without, and of which tensors.
struct Alternative {
  std::set<std::string> Fallbacks::*without = nullptr;
  std::set<std::string> names;
};
/// Returns that of a group in Winograd's domain, of one whose windows slide over a contraction, or of several
/// tensors in one kernel.
std::optional<Alternative> alternative_of(const Graph& graph, const FusedGroup& group);

/// Groups that CompileOptions::better_apart says are slower than their alternative are computed by that.
void split_slower_groups(Graph& graph, const GraphContext& context);

/// Decides what a refused group does without: first images, then Winograd's domain, then sliding windows,
/// then its strategy, then being one kernel; with a warning for each. Without any of these the host computes
/// it.
void choose_fallbacks(Graph& graph, const GraphContext& context);

/// Work-groups that the driver finds too large, once it has built their kernels, get fewer items, or, where
/// they had fewer before, another strategy.
void fit_work_groups(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
