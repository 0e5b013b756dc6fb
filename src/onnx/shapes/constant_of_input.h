// A value that is given for an input, as a constant that replaces it.
#pragma once

#include "ops/tensor_info.h"
#include "tensordsl/buffer.h"

namespace tensordsl::onnx {

/// Returns the value in the input's type and shape. One element fits each input of one. Throws ModelError
/// where the shape is another, and where an element is not a value of the type: only floats are rounded, as
/// all constants of a file were, and not to an infinity.
///
///     k: i64[], 3.0 -> 3        k: i64[], 2^63 -> ".. out of the range of i64"
Buffer constant_of_input(const ops::TensorInfo& input, const Buffer& given);

}  // namespace tensordsl::onnx
