// t(h, i, d) = x(i, h*64 + d); y(h, i, d) = t(h, i, d)*2   ->   y(h, i, d) = x(i, h*64 + d)*2
// Needs: a simplified graph.  Gives: the same outputs; a layout transformation reads the source of the first
// one in its chain, and so does a reader of a layout transformation, where that costs nothing.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Removes views, such as Transpose, Slice, Split and Reshape give: a reader takes the view's index into its
/// own (index comprehension). Source: SmartMem, section 3.2.1.
///
/// A layout transformation is folded if all of its readers, other layout transformations aside, stay
/// contiguous without it: the index of the last dimension of the source has the same variable, once, as
/// before. Readers with windows, also over a padded input, must get no division in their indices. Layout
/// transformations with data-dependent indices, those that only reshape a tensor
/// (graph/views/find_aliases.h), and tensors that the host reads are not folded.
void fold_views(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
