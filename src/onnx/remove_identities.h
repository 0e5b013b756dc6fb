#pragma once

#include "onnx/graph.h"

namespace tensordsl {

/// y = Identity(x); z = f(y)  ->  z = f(x)
/// for every node that gives back its input: Identity, Dropout, and Reshape, Transpose, Pad, Concat, Clip and
/// pools with nothing to do. An output of the graph keeps its name: the producer of x then writes y. A node
/// between an input or a constant and an output, or between two outputs, stays. Needs: shapes inferred.
void remove_identities(Graph& graph);

}  // namespace tensordsl
