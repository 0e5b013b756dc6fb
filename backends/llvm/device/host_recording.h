// Launches on the host's threads.
#pragma once

#include <memory>
#include <vector>

#include "backends/llvm/device/host_objects.h"
#include "backends/llvm/device/host_queue.h"

namespace tensordsl::host {

/// Records launches that the queue can repeat. Throws DeviceError if a launch does not fit its kernel.
std::unique_ptr<Recording> record_launches(std::shared_ptr<const Session> session,
                                           std::shared_ptr<HostQueue> queue, std::vector<Launch> launches,
                                           std::int64_t buffer_alignment);

}  // namespace tensordsl::host
