// Graphs that are attributes of nodes, for tests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/onnx_model.h"

namespace tensordsl::testing {

inline void add_node(::onnx::GraphProto& graph, const std::string& op, const Names& inputs,
                     const Names& outputs, const std::vector<::onnx::AttributeProto>& attributes = {}) {
  OnnxModel part;
  part.node(op, inputs, outputs, attributes);
  *graph.add_node() = part.proto.graph().node(0);
}

/// An attribute that is a graph of the inputs and outputs, filled by `fill`.
inline ::onnx::AttributeProto body(const std::string& name, const Names& inputs, const Names& outputs,
                                   const std::function<void(::onnx::GraphProto&)>& fill) {
  ::onnx::AttributeProto result = attribute(name, ::onnx::AttributeProto::GRAPH);
  for (const std::string& input : inputs) result.mutable_g()->add_input()->set_name(input);
  for (const std::string& output : outputs) result.mutable_g()->add_output()->set_name(output);
  fill(*result.mutable_g());
  return result;
}

}  // namespace tensordsl::testing
