#include "predict/kernel_usage.h"

#include <algorithm>
#include <map>

namespace tensordsl::predict {

KernelUsage usage_of(const KernelWork& work, const DeviceFigures& device) {
  KernelUsage usage;
  usage.group_items = work.group_items;
  usage.registers = work.registers;
  usage.local_bytes = work.local_bytes;
  usage.instructions = work.text;
  std::size_t deepest = 0;
  for (const AccessWork& access : work.accesses) deepest = std::max(deepest, access.loops.size());
  std::map<int, double> bytes_by_width;
  for (const AccessWork& access : work.accesses) {
    const bool is_outside = access.place == Place::Buffer || access.place == Place::Image;
    if (!is_outside || access.is_store || access.times <= 0) continue;
    bytes_by_width[access.elements] += access.times * access.bytes;
    (access.place == Place::Image ? usage.reads_images : usage.reads_buffers) |= !access.loops.empty();
    if (access.loops.size() != deepest) continue;
    const double bytes = device.runs_in_step ? bytes_touched(access.bytes, access.together, 0) : access.bytes;
    usage.iteration_bytes += static_cast<std::int64_t>(bytes);
  }
  const auto most =
      std::ranges::max_element(bytes_by_width, {}, [](const auto& entry) { return entry.second; });
  if (most != bytes_by_width.end()) usage.access_elements = most->first;
  return usage;
}

}  // namespace tensordsl::predict
