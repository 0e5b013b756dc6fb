// Images of one half to a texel, on devices that read them wrongly.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Throws DeviceError if the pipeline has such images and the device reads them wrongly. A device is only
/// asked if there are any.
void check_r16f_images(const Program& program, Device& device);

}  // namespace tensordsl::runtime
