// Tests whether a driver reads images of one half to a texel correctly.
#pragma once

#include "tensordsl/device.h"

namespace tensordsl::opencl {

/// Returns true if a kernel copies texels of one f16 component correctly between images of CL_R and
/// CL_HALF_FLOAT. Throws DeviceError if the device does not support this image format.
bool probe_r16f_images(Device& device);

}  // namespace tensordsl::opencl
