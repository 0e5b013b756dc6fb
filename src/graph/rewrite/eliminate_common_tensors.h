// a = exp(x); b = exp(x); out = sum(a) + max(b)   ->   a = exp(x); out = sum(a) + max(a)
// Needs: tensors after those they read.  Gives: the same outputs; equal definitions, and equal constants,
// once.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Two tensors are equal if they have one type and shape, and the same definitions of equal tensors, whatever
/// their Vars and inner Funcs are called. Definitions are pure, so nothing else can distinguish them.
///
/// Equal tensors are not merged where each is computed in the kernel of its only reader, and these are
/// different ones: as one tensor it would be stored, by a kernel of its own.
///
/// Operators of a kind that CompileOptions::on_host names equal only operators of that kind.
void eliminate_common_tensors(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
