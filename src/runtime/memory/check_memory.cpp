#include "runtime/memory/check_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl::runtime {

void check_memory(const DeviceInfo& device, const std::vector<std::int64_t>& allocations,
                  const std::vector<TensorMemory>& tensors) {
  constexpr const char* kRemedy =
      "reduce the sizes (for example the batch), store tensors as f16, or use another device";
  const auto largest = std::ranges::max_element(tensors, {}, &TensorMemory::bytes);
  if (device.max_allocation_bytes > 0 && largest != tensors.end() &&
      largest->bytes > device.max_allocation_bytes) {
    throw DeviceError(
        fmt::format("device memory: a tensor needs {}, but the largest allocation of {} is {}; the largest "
                    "tensors are {}; {}",
                    bytes_text(largest->bytes), device.name, bytes_text(device.max_allocation_bytes),
                    largest_text(tensors), kRemedy));
  }
  double sum = 0;  // which does not overflow
  std::int64_t bytes = 0;
  for (const std::int64_t allocation : allocations) {
    sum += static_cast<double>(allocation);
    bytes += sum < 9e18 ? allocation : 0;
  }
  if (device.global_memory_bytes <= 0 || sum <= static_cast<double>(device.global_memory_bytes)) return;
  throw DeviceError(fmt::format(
      "device memory: the program needs {}, but {} has {}; the largest tensors are {}; {}", bytes_text(bytes),
      device.name, bytes_text(device.global_memory_bytes), largest_text(tensors), kRemedy));
}

}  // namespace tensordsl::runtime
