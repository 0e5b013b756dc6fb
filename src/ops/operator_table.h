// The operators that a graph is made of, in the one form that import brings every ONNX opset to:
//  - every node has one output, and no constant operand where an attribute says it better;
//  - Clip has attributes min and max (absent = unbounded), Pad has pads and value, Reshape has shape, Squeeze
//  and
//    Unsqueeze have axes, Softmax normalizes along its one axis;
//  - Min and Max have two inputs.
// After shape inference every default is written out: axes count from 0, windows have kernel_shape, strides,
// dilations and explicit pads, Reshape's shape is that of its output.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "ops/shapes/shape_rule.h"

namespace tensordsl {

struct OperatorSpec {
  std::string_view name;
  std::size_t min_inputs = 1;
  std::size_t max_inputs = 1;
  ShapeRule infer = nullptr;
  std::array<std::string_view, 8> attributes{};  ///< those a node may have; "" is none
};

/// All of them, in alphabetical order.
std::span<const OperatorSpec> operators();
/// The operator called `name`; null if there is none.
const OperatorSpec* find_operator(std::string_view name);

/// The shape rule of `spec`, after a check of the number of inputs and the names of the attributes.
/// Throws ModelError or ShapeError; the text does not name the node, the caller does.
InferredTensor infer(const OperatorSpec& spec, const OperatorCall& call);

}  // namespace tensordsl
