// body of one nest   ->   LoweredKernel with its arguments and launch shape
// Needs: the final body.  Gives: buffers in a fixed order (inputs and intermediates by first use, the written
// one last), each read-only, write-only or read-write as the body uses it; scalars by name. Throws
// ScheduleError if an image is read and written.
#pragma once

#include <map>
#include <string>

#include "lower/lowered.h"
#include "lower/stages.h"

namespace tensordsl::lower {

LoweredKernel outline_kernel(const std::string& name, const KernelBody& work, const Tensors& tensors);

}  // namespace tensordsl::lower
