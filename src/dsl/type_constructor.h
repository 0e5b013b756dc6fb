// A type as it is written in C++.
#pragma once

#include <string>

#include "tensordsl/type.h"

namespace tensordsl {

/// i32 -> "Int(32)", bool -> "Bool()". Of one lane.
std::string type_constructor(Type type);

}  // namespace tensordsl
