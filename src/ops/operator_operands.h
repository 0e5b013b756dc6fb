// The operands that the definition of an operator gets.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ops/attributes.h"
#include "ops/tensor_info.h"
#include "tensordsl/func.h"

namespace tensordsl::ops {

/// A node to define: its operands as Funcs or Inputs over their logical dimensions, at ONNX's positions. A
/// scalar is a Func of one dimension of extent 1, because a Func needs an index.
struct OperatorOperands {
  std::string name;                         ///< starts the names of the Funcs; unique within a pipeline
  const Attributes& attributes;             ///< every default written out, as after shape inference
  std::vector<std::optional<Func>> inputs;  ///< nothing: an optional input that is absent
  std::vector<TensorInfo> infos;            ///< types and shapes of the inputs, at the same positions
  /// The types are those that the Funcs store; f16 arithmetic is done in f32.
  std::vector<TensorInfo> outputs;

  bool has_input(std::size_t i) const { return i < inputs.size() && inputs[i]; }
  /// Returns input `i`. Needs: the input is present.
  const Func& input(std::size_t i) const { return *inputs[i]; }
  /// The first output.
  const TensorInfo& output() const { return outputs[0]; }
};

}  // namespace tensordsl::ops
