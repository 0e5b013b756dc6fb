// The order of a tensor's dimensions in memory.
#pragma once

#include <vector>

#include "ops/tensor_info.h"
#include "tensordsl/layout.h"

namespace tensordsl {

/// Dimensions, outermost first: channels last for images ([N,C,H,W] and [N,C,L] of a graph), else row-major.
/// Contiguous channels are what every kernel here vectorizes along.
std::vector<int> memory_order(const Shape& shape);

/// The order as a Layout.
Layout layout_of(const std::vector<int>& order);

/// As a kernel has them. Throws ShapeError if one is more than it can index.
std::vector<Expr> extents_of(const Shape& shape);

/// True if both tensors have the same elements at the same places, whatever their shapes.
bool is_same_in_memory(const Shape& a, const Shape& b);

}  // namespace tensordsl
