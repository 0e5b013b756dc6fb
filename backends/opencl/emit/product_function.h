// The operation sub_group_multiply in OpenCL C.
#pragma once

#include <string>

namespace tensordsl::opencl {

/// A function of that name, of pairs of f16 as they lie in memory. Inline PTX, for devices with
/// DeviceInfo::has_matrix_units.
std::string product_function();

}  // namespace tensordsl::opencl
