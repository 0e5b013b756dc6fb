// Computes a graph of Funcs on the host.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/rewrite/simplify_graph.h"
#include "ir/nodes/expr_node.h"
#include "runtime/host/interpreter.h"
#include "support/after_pass.h"
#include "support/buffers.h"
#include "support/definitions.h"

namespace tensordsl::testing {

/// Returns the values of every output.
inline std::vector<std::vector<double>> values_of(const definitions::DefinitionGraph& graph) {
  runtime::InterpretArguments arguments;
  for (const definitions::DefinedTensor& tensor : graph.tensors) {
    if (!tensor.func.is_input()) continue;
    std::vector<std::int64_t> shape;
    for (const Expr& extent : tensor.extents()) shape.push_back(*ir::as_int(extent));
    arguments.inputs.emplace(tensor.func.name(), tensor.constant
                                                     ? tensor.constant->reshaped(shape)
                                                     : filled(Float(32), shape, [](std::int64_t i) {
                                                         return (i * 37 + 5) % 101 / 10.0 - 5;
                                                       }));
  }
  std::vector<std::vector<double>> values;
  for (const definitions::DefinitionGraph::Output& output : graph.outputs) {
    const definitions::DefinedTensor& tensor = graph.tensors[output.tensor];
    std::vector<std::int64_t> shape;
    for (const Expr& extent : tensor.extents()) shape.push_back(*ir::as_int(extent));
    values.push_back(testing::values_of(runtime::interpret(tensor.func.shared(), shape, arguments)));
  }
  return values;
}

/// The simplified model after a pass, which must compute the same.
template <typename Pass>
definitions::DefinitionGraph after_pass(const OnnxModel& model, Pass pass) {
  const definitions::DefinitionGraph before = after<graph::simplify_graph>(definitions_of(model));
  definitions::DefinitionGraph graph = pass(before);
  CHECK(values_of(graph) == values_of(before));
  return graph;
}

}  // namespace tensordsl::testing
