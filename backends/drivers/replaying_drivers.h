// Drivers that run kernels compiled by OpenCL faster than OpenCL does. They come first: "gpu" is a device of
// theirs if they have one.
#pragma once

#include "runtime/device/driver.h"

namespace tensordsl {

/// Returns the drivers; empty without the build option TENSORDSL_CUDA_GRAPHS.
runtime::Drivers replaying_drivers();

}  // namespace tensordsl
