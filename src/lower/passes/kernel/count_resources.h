// Counts a kernel's resources: bytes of local, private and register storage, floating-point operations per
// launch, and an estimate of its register count, from the values that are live at once.
//
// Needs: an outlined kernel. Gives: KernelResources; flops is 0 where a loop's extent is not constant.
#pragma once

#include "lower/lowered.h"

namespace tensordsl::lower {

/// `gathers_reads` is that of live_registers().
KernelResources count_resources(const LoweredKernel& kernel, bool gathers_reads = false);

}  // namespace tensordsl::lower
