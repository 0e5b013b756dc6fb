// The argument and the result of every shape rule.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "ops/attributes.h"
#include "ops/tensor_info.h"
#include "tensordsl/buffer.h"

namespace tensordsl::ops {

/// A node as its shape rule sees it.
struct OperatorCall {
  const Attributes& attributes;
  std::vector<const TensorInfo*> inputs;   ///< null: an optional input that is absent
  std::size_t outputs = 1;                 ///< number of outputs that the node lists
  std::vector<const Buffer*> constants{};  ///< the values of inputs that are known; null or none: of others

  const TensorInfo& input(std::size_t i) const { return *inputs[i]; }
  bool has_input(std::size_t i) const { return i < inputs.size() && inputs[i]; }
  /// Returns null if the input is computed while the model runs, or absent.
  const Buffer* constant(std::size_t i) const { return i < constants.size() ? constants[i] : nullptr; }
};

struct TensorType {
  Type type;
  Shape shape;
};

/// The elements from `begin` to before `end` of a dimension, which an input has to have.
struct NeededElements {
  std::size_t input = 0, dimension = 0;
  Size begin, end;
  std::string why{};  ///< reason in messages: "k = 3"
};

/// The types and shapes of a node's outputs, and the node's attributes with every default written out.
struct InferredNode {
  std::vector<TensorType> outputs;
  Attributes attributes;
  std::vector<NeededElements> needed{};  ///< conditions that only a launch can check

  /// Infers a node with one output.
  InferredNode(Type output_type, Shape output_shape, Attributes with_defaults)
      : outputs{{output_type, std::move(output_shape)}}, attributes(std::move(with_defaults)) {}

  /// Says that the node needs these elements of an input's dimension, unless it is known that all exist.
  /// Throws ShapeError if it is known that one is not.
  void need(const OperatorCall& call, NeededElements elements);

  /// The type and the shape of the first output.
  Type type() const { return outputs[0].type; }
  const Shape& shape() const { return outputs[0].shape; }
};

/// Infers a node as a pure function. Throws ShapeError or ModelError with a text that describes the fault,
/// without the node's name.
using ShapeRule = InferredNode (*)(const OperatorCall&);

/// `axis` in [-rank, rank) counted from 0. Throws ShapeError.
std::int64_t normal_axis(std::int64_t axis, std::size_t rank);
/// `axes` of a tensor of `rank` dimensions, counted from 0 and sorted. Throws ShapeError if one is outside or
/// occurs twice.
std::vector<std::int64_t> normal_axes(std::vector<std::int64_t> axes, std::size_t rank);
/// An attribute that is 0 or 1. Throws ModelError on other values.
std::int64_t read_flag(const Attributes& attributes, const char* name, std::int64_t fallback = 0);
/// Checks that input `i` is of a floating-point type. Throws ModelError otherwise.
void require_float(const OperatorCall& call, std::size_t i);
/// Checks that every input that is present has the type of the first. Throws ModelError otherwise.
void require_same_types(const OperatorCall& call);

}  // namespace tensordsl::ops
