// The numbers that ONNX has for types of elements, TensorProto.DataType.
#pragma once

#include <cstdint>
#include <string_view>

#include "tensordsl/type.h"

namespace tensordsl {

/// The type that attribute `name` says by `number`. Throws ModelError if the language has none for it.
Type element_type(std::string_view name, std::int64_t number);

/// The number of `type`.
std::int64_t element_type_number(Type type);

}  // namespace tensordsl
