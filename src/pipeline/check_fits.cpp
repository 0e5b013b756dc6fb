#include "pipeline/check_fits.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl {

void check_fits(const KernelSource& kernel, const DeviceInfo& device) {
  if (kernel.resources.local_bytes > device.local_memory_bytes) {
    throw ScheduleError(
        fmt::format("kernel {}: its tiles need {} bytes of local memory, but the device has {}; make them "
                    "smaller, drop double_buffer(), or move one with store_in(Private)",
                    kernel.entry, kernel.resources.local_bytes, device.local_memory_bytes));
  }
  const auto images = [&](bool is_read) {
    return static_cast<int>(std::ranges::count_if(kernel.arguments, [&](const KernelArgument& a) {
      return a.kind == KernelArgument::Kind::Image &&
             (a.access == KernelArgument::Access::ReadOnly) == is_read;
    }));
  };
  if (images(true) > device.max_read_images || images(false) > device.max_write_images) {
    throw ScheduleError(fmt::format(
        "kernel {}: it reads {} images and writes {}, but the limits of the device are {} and {}; keep some "
        "of them in buffers",
        kernel.entry, images(true), images(false), device.max_read_images, device.max_write_images));
  }
  const auto& size = kernel.launch.group_size;
  const auto& most = device.max_group_sizes;
  const bool fits = std::int64_t{size[0]} * size[1] * size[2] <= device.max_group_size &&
                    size[0] <= most[0] && size[1] <= most[1] && size[2] <= most[2];
  if (fits) return;
  throw ScheduleError(
      fmt::format("kernel {}: its work-groups are {} x {} x {}, but the limit of the device is {} "
                  "work-items, {} x {} x {}; split the gpu_threads loops by smaller factors",
                  kernel.entry, size[0], size[1], size[2], device.max_group_size, most[0], most[1], most[2]));
}

}  // namespace tensordsl
