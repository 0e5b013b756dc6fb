#pragma once

#include "definitions/definition_graph.h"
#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// Returns the Funcs that the nodes compute, by the table of operators: later stages know no operators.
/// Outputs that neither a node nor the graph's outputs use are left out. Needs: shapes inferred. Throws
/// ShapeError on a tensor that no kernel could index.
definitions::DefinitionGraph define_graph(Graph graph);

}  // namespace tensordsl::onnx
