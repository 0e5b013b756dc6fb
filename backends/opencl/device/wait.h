// Ways to wait for a queue.
#pragma once

#include <string>

#include "backends/opencl/device/handle.h"
#include "tensordsl/device.h"

namespace tensordsl::opencl {

/// Waits until all enqueued commands are done. Throws DeviceError that names the call and `kernel` if it
/// failed.
void wait_for(const Queue& queue, Waiting waiting, const std::string& kernel = "");

/// Calls clFinish for all enqueued commands, flushed or not.
cl_int finish(const Queue& queue) noexcept;

}  // namespace tensordsl::opencl
