#include "hwprofile/probes/told_figures.h"

namespace tensordsl::hwprofile {
namespace {

std::optional<Figure> told(std::int64_t value) { return value > 0 ? std::optional(Figure::exact(static_cast<double>(value))) : std::nullopt; }

}  // namespace

HwProfile told_figures(const DeviceInfo& info) {
  HwProfile profile;
  profile.device = info.name;
  profile.driver = info.driver;
  profile.compute_units = told(info.compute_units);
  profile.warp_size = told(info.preferred_group_multiple);
  profile.event_resolution_ns = told(info.timer_resolution_ns);
  profile.local_memory.bytes = told(info.local_memory_bytes);
  profile.local_memory.on_chip = Finding{info.local_memory_on_chip, true};
  profile.constant_memory.bytes = told(info.constant_buffer_bytes);
  if (info.native_vector_width_float > 0) profile.vector_width.buffer = told(info.native_vector_width_float);
  // Of the whole hierarchy OpenCL tells one size and one line.
  if (info.global_cache_bytes > 0) profile.buffer_caches.push_back({told(info.global_cache_bytes), told(info.global_cache_line_bytes), {}, {}});
  for (const int size : info.sub_group_sizes) {
    if (size >= 1 && size <= 1024) profile.sub_group_sizes.push_back(size);
  }
  return profile;
}

}  // namespace tensordsl::hwprofile
