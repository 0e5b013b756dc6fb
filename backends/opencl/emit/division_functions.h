// Integer division and remainder that floor, in OpenCL C, whose own truncate.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::opencl {

/// Returns the functions floor_div_T and floor_mod_T of the integer type or vector named `type`, as int4. A
/// quotient by 0 is 0.
std::vector<std::string> division_functions(const std::string& type);

}  // namespace tensordsl::opencl
