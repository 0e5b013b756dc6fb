// x: f32[total] + y: f32[past + sequence] -> x: f32[past + sequence] + y: f32[past + sequence]
// x: f32[n] + y: f32[min(n, 512)] -> x: f32[n] + y: f32[n], and the launch checks that n is at most 512
#pragma once

#include "onnx/onnx_graph.h"
#include "ops/assumed_sizes.h"

namespace tensordsl::onnx {

/// Writes the assumption that makes the sizes of `unequal`, of operands of `node`, equal into the shapes and
/// sizes of `graph`, with a warning. Returns nullopt, and changes nothing, if there is none. The model then
/// refuses inputs of other sizes. The replaced symbol is the one of the last input that has one. Needs: every
/// shape so far inferred. Gives: a graph that the same model has with other inputs.
std::optional<ops::AssumedSize> assume_sizes(Graph& graph, const ops::Node& node,
                                             const ops::UnequalSizes& unequal);

/// Replaces the size in the attributes of `node`.
void substitute(ops::Node& node, const ops::AssumedSize& assumed);

}  // namespace tensordsl::onnx
