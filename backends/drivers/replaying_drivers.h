// Drivers that run what OpenCL has compiled faster than OpenCL does. They come first: "gpu" is theirs where
// they have one.
#pragma once

#include "runtime/device/driver.h"

namespace tensordsl {

/// Empty without the build option TENSORDSL_CUDA_GRAPHS.
runtime::Drivers replaying_drivers();

}  // namespace tensordsl
