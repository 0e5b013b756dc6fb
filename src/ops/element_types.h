// The numbers that ONNX has for types of elements, TensorProto.DataType.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tensordsl/type.h"

namespace tensordsl::ops {

/// The type that attribute `name` says by `number`, or that holds its values (ops/narrow_types.h). Throws
/// ModelError if the language has none for it.
Type element_type(std::string_view name, std::int64_t number);

/// Returns the name of a type, "BFLOAT16"; the number itself if there is no such type.
std::string element_type_name(std::int64_t number);

/// The number of `type`.
std::int64_t element_type_number(Type type);

}  // namespace tensordsl::ops
