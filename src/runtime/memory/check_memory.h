// Checks that a device has the memory that a Program needs, before any is taken.
#pragma once

#include <vector>

#include "runtime/memory/memory_text.h"
#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// Checks the memory of a Program. `allocations`: the bytes of each buffer and image; `tensors`: their
/// contents. Throws DeviceError with the largest tensors if the sum is more than the device has, or a tensor
/// more than its largest allocation. A figure of 0 is not known.
void check_memory(const DeviceInfo& device, const std::vector<std::int64_t>& allocations,
                  const std::vector<TensorMemory>& tensors);

}  // namespace tensordsl::runtime
