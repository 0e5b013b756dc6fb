// neg(x[i + 8]) and x[i] as the two parts of a whole, scaled: four tensors   ->   one
// Needs: a graph of Funcs.  Gives: the same outputs, in fewer tensors.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Inlines tensors that are computed element by element, once, for a single reader that is element-wise too.
/// Operands of a sum or product are inlined where there are several (fuse makes a chain of a single one).
/// Parts of a concatenation are inlined if all of them are such, up to 8, and none is a concatenation.
/// Layout transformations are inlined only as parts. The epilogue of a sum stays with the sum, and no
/// definition reads more than 12 tensors. This makes a rotary embedding one kernel. Leaves out kinds that
/// CompileOptions::on_host names, and tensors that the device has refused together.
void inline_operands(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
