// Traces the tensors that a model's file names.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "onnx/onnx_graph.h"
#include "tensordsl/model.h"

namespace tensordsl {

/// The tensors that the outputs are computed from, and the outputs.
std::set<std::string> needed_tensors(const onnx::Graph& graph);

/// See Model::node_outputs. `needed`: needed_tensors before nodes were merged.
std::vector<NodeOutput> describe_node_outputs(const onnx::Graph& graph, const std::set<std::string>& needed);

/// Completes the outputs from the definitions: shapes as Exprs, and the values of constants.
void complete_node_outputs(std::vector<NodeOutput>& outputs, const definitions::DefinitionGraph& graph);

/// Returns the graph with other outputs. Throws Error if one is neither an input nor computed.
definitions::DefinitionGraph with_outputs(definitions::DefinitionGraph graph,
                                          const std::vector<std::string>& names);

}  // namespace tensordsl
