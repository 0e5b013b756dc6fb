// LoweredKernel -> KernelSource: OpenCL C 1.2 text and the data that a host needs to launch it.
#pragma once

#include <set>
#include <string>

#include "lower/lowered.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl::opencl {

/// Writes a kernel's text. The entry is named after the kernel, and differs from `taken_entries`. Throws
/// ScheduleError if an expression is too long, or nests too deep, for OpenCL compilers. `has_dp4a`: the
/// device is known to have dot products of bytes in inline PTX.
KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries = {},
                  bool has_dp4a = false);

}  // namespace tensordsl::opencl
