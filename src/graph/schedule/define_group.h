// clip_7(n, c, h, w) = max(conv_6(n, c, h, w), 0)   ->   conv_clip(n, c, h, w) = max(conv(n, c, h, w), 0)
// Needs: a group of the graph's Funcs.  Gives: the same group with Funcs of its own, which read stored
// tensors as Inputs x0, x1, ..; names depend only on the computation, so equal groups become equal kernels.
// Tensors are stored as `precision` says, row-major; between the Funcs of a group values keep their type.
#pragma once

#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "definitions/stored_group.h"
#include "tensordsl/precision.h"

namespace tensordsl::graph {

/// The type that a tensor of that type is stored as.
Type stored_type(Type type, Precision precision);
Type stored_type(const definitions::DefinedTensor& tensor, Precision precision);

definitions::StoredGroup define_group(const definitions::DefinitionGraph& graph,
                                      const definitions::TensorFuncs& funcs,
                                      const definitions::FusedGroup& group, Precision precision);

/// Returns the group with its operands and outputs stored so, in an image where the layout is of one
/// (image_of). `layouts`: by tensor.
definitions::StoredGroup with_layouts(definitions::StoredGroup group, const std::vector<Layout>& layouts);

}  // namespace tensordsl::graph
