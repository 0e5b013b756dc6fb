#include "hwprofile/reported/reported_by_driver.h"

namespace tensordsl::hwprofile {
namespace {

std::optional<Measurement> measurement_of(std::int64_t value) {
  return value > 0 ? std::optional(Measurement::exact(static_cast<double>(value))) : std::nullopt;
}

}  // namespace

HwProfile reported_by_driver(const DeviceInfo& info) {
  HwProfile profile;
  profile.device = info.name;
  profile.driver = info.driver;
  profile.compute_units = measurement_of(info.compute_units);
  profile.warp_size = measurement_of(info.preferred_group_multiple);
  profile.registers.pool = measurement_of(info.registers_per_group);
  profile.event_resolution_ns = measurement_of(info.timer_resolution_ns);
  profile.local_memory.bytes = measurement_of(info.local_memory_bytes);
  profile.local_memory.on_chip = BoolMeasurement{info.local_memory_on_chip, true};
  profile.constant_memory.bytes = measurement_of(info.constant_buffer_bytes);
  if (info.native_vector_width_float > 0)
    profile.vector_width.buffer = measurement_of(info.native_vector_width_float);
  // OpenCL reports one size and one line for the whole hierarchy.
  if (info.global_cache_bytes > 0)
    profile.buffer_caches.push_back(
        {measurement_of(info.global_cache_bytes), measurement_of(info.global_cache_line_bytes), {}, {}});
  for (const int size : info.sub_group_sizes) {
    if (size >= 1 && size <= 1024) profile.sub_group_sizes.push_back(size);
  }
  return profile;
}

}  // namespace tensordsl::hwprofile
