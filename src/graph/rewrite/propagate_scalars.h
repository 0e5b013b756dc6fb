// y(i) = x(i)*k(0) + b(i), where k is 0.5 and b is 1, 1, 1   ->   y(i) = x(i)*0.5 + 1.0
// Needs: definitions as fuse gets them.  Gives: the same outputs; constants that are one number are read as
// that number.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// A constant of one element, or of elements that are all equal, needs no memory. Factors of a sum of
/// products that have more than one element stay: by them it is one, and tiles of it are scheduled.
void propagate_scalars(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
