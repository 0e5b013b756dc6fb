// Defines one node as Funcs over Inputs of its own.
#pragma once

#include <vector>

#include "ops/operator_spec.h"
#include "ops/tensor_info.h"

namespace tensordsl::onnx {

struct DefinedNode {
  std::vector<ops::TensorType> outputs;
  std::vector<Func> funcs;  ///< one for each output; a scalar has one dimension of extent 1
};

/// Defines the node's outputs over Inputs x0, x1, .. at ONNX's positions. `inputs`: null where one is absent.
/// Throws the errors of shape rules, and InternalError if the node's operator is unknown.
DefinedNode define_node(const ops::Node& node, const std::vector<const ops::TensorInfo*>& inputs);

/// Extents of the Func of a tensor of that shape.
ops::Shape func_shape(const ops::Shape& shape);
std::vector<Expr> func_extents(const ops::Shape& shape);

}  // namespace tensordsl::onnx
