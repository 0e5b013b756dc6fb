// Tests whether a driver reads images of one half to a texel correctly.
#pragma once

#include "tensordsl/device.h"

namespace tensordsl::opencl {

/// Runs a kernel that copies two such texels, and compares. Throws DeviceError if the device has no such
/// images.
bool probe_r16f_images(Device& device);

}  // namespace tensordsl::opencl
