// neg(x[i + 8]) and x[i] as the two parts of a whole, scaled: four tensors   ->   one
// Needs: a graph of Funcs.  Gives: the same outputs, in fewer tensors.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// What is computed element by element, once, for one reader that is computed so too is written into the
/// reader's definition: the operands of a sum or product, where there are several such (of one fuse makes a
/// chain); and the parts of what is concatenated, if all parts are such, up to 8, and none is a
/// concatenation. Layout transformations are inlined as parts alone. What a sum is stored through stays with
/// the sum, and no definition reads more than 12 tensors so. So rotary embeddings are one kernel. Not of
/// kinds that CompileOptions::on_host names, nor of what the device has refused together.
void inline_operands(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
