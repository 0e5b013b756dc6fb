// LoweredKernel -> KernelSource: OpenCL C 1.2 text and what a host needs to launch it.
#pragma once

#include "lower/lowered.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl::opencl {

KernelSource emit(const lower::LoweredKernel& kernel);

}  // namespace tensordsl::opencl
