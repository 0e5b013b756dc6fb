// A node over sizes that depend on symbolic dimensions, by its definition: [batch, 128] * 2 -> [2*batch, 256]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "onnx/define_node.h"

namespace tensordsl::onnx {

/// An operand of a node: its type and shape, and its elements in row-major order.
struct SizeOperand {
  ops::TensorInfo info;
  ops::Sizes elements;
};

/// The elements of each output. Nothing if one of them is not a size (a fraction, a choice that the symbols
/// leave open), or if there are more than a few thousand steps in it. A bool is 0 or 1.
std::optional<std::vector<ops::Sizes>> evaluate_sizes(
    const DefinedNode& node, const std::vector<std::optional<SizeOperand>>& operands);

}  // namespace tensordsl::onnx
