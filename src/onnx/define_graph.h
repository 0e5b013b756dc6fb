#pragma once

#include "definitions/definition_graph.h"
#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// The Funcs that the nodes compute, by the table of operators: here the operators end. Outputs that no node
/// reads and that are no output of the graph are left out. Needs: shapes inferred. Throws ShapeError on a
/// tensor that no kernel could index.
definitions::DefinitionGraph define_graph(Graph graph);

}  // namespace tensordsl::onnx
