// The operation sub_group_multiply in OpenCL C.
#pragma once

#include <string>

namespace tensordsl::opencl {

/// Returns the function of that name, which multiplies matrices of pairs of f16 as in memory. It is inline
/// PTX, for devices with DeviceInfo::has_matrix_units.
std::string product_function();

}  // namespace tensordsl::opencl
