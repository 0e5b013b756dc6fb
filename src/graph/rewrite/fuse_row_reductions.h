// mean -> x - mean -> square -> mean -> x/sqrt, five tensors   ->   one tensor of two sums, which are its own
// Needs: a graph of Funcs.  Gives: the same outputs; normalizations and softmaxes that a model writes out
// have the form of their operators' definitions.
#pragma once

#include "graph/stages/graph.h"
#include "schedules/support/target_of_profile.h"

namespace tensordsl::graph {

/// Reductions along rows, what is computed of a row and of them, and reductions of that again become one
/// definition, where nothing else reads what is between: then one kernel computes a row at a time
/// (schedules/reduce/row_reduction.h). What depends on no reduction is taken in only if it is computed once,
/// and is no epilogue of a sum. All reductions run along the same dimensions. Few long rows stay apart: each
/// would be one work-group. So do kinds that CompileOptions::on_host names, and what the device has refused
/// together (Fallbacks::together).
void fuse_row_reductions(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
