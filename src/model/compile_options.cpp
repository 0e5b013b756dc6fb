#include "model/compile_options.h"

#include "hwprofile/probes/derived_profile.h"

namespace tensordsl {

CompileOptions options_of(const CompileTarget& target) {
  CompileOptions options;
  options.precision = target.precision;
  options.device = target.device;
  options.on_host = target.on_host;
  options.optimizations = target.optimizations;
  options.threads = target.threads;
  options.progress = target.progress;
  const std::int64_t group_size = target.device ? target.device->max_group_size : 64;
  if (target.profile) {
    options.target = schedules::target_of(*target.profile, group_size);
  } else if (target.device) {
    options.target = schedules::target_of(hwprofile::derived_profile(*target.device), group_size);
  }
  return options;
}

}  // namespace tensordsl
