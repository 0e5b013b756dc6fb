// Small functions that kernels have of their own, as text.
#pragma once

#include <string>

#include "tensordsl/type.h"

namespace tensordsl::llvm_ir {

/// "<4 x i32> <i32 1, i32 1, i32 1, i32 1>" without its type: `value` in every lane.
std::string splat(Type type, const std::string& value, bool half_arithmetic);

/// The language's `/` or `%` of integers, which floor, and are 0 where the divisor is: "@floor_div.v4i32".
std::string division_function(Type type, bool is_division, const std::string& name);

}  // namespace tensordsl::llvm_ir
