// Counts what a kernel uses: bytes of local, private and register storage, registers that are live at
// once, floating-point operations per launch.
// Needs: an outlined kernel.  Gives: KernelResources; flops is 0 where a loop's extent is not constant.
#pragma once

#include "lower/lowered.h"

namespace tensordsl::lower {

KernelResources count_resources(const LoweredKernel& kernel);

}  // namespace tensordsl::lower
