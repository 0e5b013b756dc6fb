// Returns the C++ text of a type.
#pragma once

#include <string>

#include "tensordsl/type.h"

namespace tensordsl {

/// Returns the constructor of a scalar type: i32 -> "Int(32)", bool -> "Bool()".
std::string type_constructor(Type type);

}  // namespace tensordsl
