// t(h, i, d) = x(i, h*64 + d); y(h, i, d) = t(h, i, d)*2   ->   y(h, i, d) = x(i, h*64 + d)*2
// Needs: a simplified graph.  Gives: the same outputs; of layout transformations in a row each reads what the
// first one reads, and so does the reader of a layout transformation where that costs nothing.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Removes views, what Transpose, Slice, Split, Reshape and their like move: a reader takes the view's index
/// for its own (index comprehension). Source: SmartMem, section 3.2.1.
///
/// A layout transformation goes if all its readers, other layout transformations aside, still run along
/// neighbors in memory without it: the index of the last dimension of what is read has the same variable,
/// once, as before. Where a window slides, also over a padded input, it goes only if no division comes into
/// the indices. Data-dependent indices, layout transformations that only give a tensor another shape
/// (graph/views/find_aliases.h) and tensors that the host reads are left alone.
void fold_views(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
