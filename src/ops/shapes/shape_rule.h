// What every shape rule takes and gives.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "ops/attributes.h"
#include "ops/tensor_info.h"

namespace tensordsl {

/// What a shape rule sees of a node.
struct OperatorCall {
  const Attributes& attributes;
  std::vector<const TensorInfo*> inputs;  ///< null: an optional input that is absent
  std::size_t outputs = 1;                ///< how many the node lists

  const TensorInfo& input(std::size_t i) const { return *inputs[i]; }
  bool has_input(std::size_t i) const { return i < inputs.size() && inputs[i]; }
};

struct TensorType {
  Type type;
  Shape shape;
};

/// The types and shapes of a node's outputs, and the node's attributes with every default written out.
struct InferredNode {
  std::vector<TensorType> outputs;
  Attributes attributes;

  /// Of a node with one output.
  InferredNode(Type output_type, Shape output_shape, Attributes with_defaults)
      : outputs{{output_type, std::move(output_shape)}}, attributes(std::move(with_defaults)) {}

  /// Of the first output.
  Type type() const { return outputs[0].type; }
  const Shape& shape() const { return outputs[0].shape; }
};

/// A pure function. Throws ShapeError or ModelError with a text that says what was found, without the node's
/// name.
using ShapeRule = InferredNode (*)(const OperatorCall&);

/// `axis` in [-rank, rank) counted from 0. Throws ShapeError.
std::int64_t normal_axis(std::int64_t axis, std::size_t rank);
/// `axes` of a tensor of `rank` dimensions, counted from 0 and sorted. Throws ShapeError if one is outside or
/// occurs twice.
std::vector<std::int64_t> normal_axes(std::vector<std::int64_t> axes, std::size_t rank);
/// An attribute that is 0 or 1. Throws ModelError on other values.
std::int64_t read_flag(const Attributes& attributes, const char* name, std::int64_t fallback = 0);
/// Throws ModelError unless input `i` is of a floating-point type.
void require_float(const OperatorCall& call, std::size_t i);
/// Throws ModelError unless every input that is present has the type of the first.
void require_same_types(const OperatorCall& call);

}  // namespace tensordsl
