// mean -> x - mean -> square -> mean -> x/sqrt, five tensors   ->   one tensor of two sums, which are its own
// Needs: a graph of Funcs.  Gives: the same outputs; normalizations and softmaxes that a model writes out
// have the form of their operators' definitions.
#pragma once

#include "graph/stages/graph.h"
#include "schedules/support/target_of_profile.h"

namespace tensordsl::graph {

/// Fuses reductions along rows, element-wise operations on a row and on their results, and reductions of
/// these into one definition, if nothing else reads the intermediate values: then one kernel computes a row
/// at a time (schedules/reduce/row_reduction.h). A tensor that depends on no reduction is included only if it
/// is computed once, and is not the epilogue of a sum. All reductions run along the same dimensions. Few long
/// rows stay unfused: each would be one work-group. So do kinds that CompileOptions::on_host names, and
/// tensors that the device has refused together (Fallbacks::together).
void fuse_row_reductions(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
