// What every shape rule takes and gives.
#pragma once

#include <vector>

#include "ops/attributes.h"
#include "ops/tensor_info.h"

namespace tensordsl {

/// What a shape rule sees of a node.
struct OperatorCall {
  const Attributes& attributes;
  std::vector<const TensorInfo*> inputs;  ///< null: an optional input that is absent

  const TensorInfo& input(std::size_t i) const { return *inputs[i]; }
  bool has_input(std::size_t i) const { return i < inputs.size() && inputs[i]; }
};

/// The type and shape of a node's output, and the node's attributes with every default written out.
struct InferredTensor {
  Type type;
  Shape shape;
  Attributes attributes;
};

/// A pure function. Throws ShapeError or ModelError with a text that says what was found, without the node's
/// name.
using ShapeRule = InferredTensor (*)(const OperatorCall&);

/// `axis` in [-rank, rank) counted from 0. Throws ShapeError.
std::int64_t normal_axis(std::int64_t axis, std::size_t rank);
/// Throws ModelError unless input `i` is of a floating-point type.
void require_float(const OperatorCall& call, std::size_t i);
/// Throws ModelError unless every input that is present has the type of the first.
void require_same_types(const OperatorCall& call);

}  // namespace tensordsl
