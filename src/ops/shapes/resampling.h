// Operators that take elements between those of their input.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// Resize: to the extents sizes, or as many as scales make of those of the input. With both, scales say where
/// elements are.
InferredNode resize(const OperatorCall& call);

}  // namespace tensordsl::shapes
