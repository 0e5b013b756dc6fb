#include "model/compile_options.h"

#include "hwprofile/probes/derived_profile.h"

namespace tensordsl {

HwProfile profile_of(const CompileTarget& target) {
  if (target.profile) return *target.profile;
  if (!target.device) return {};
  if (auto bundled = bundled_hw_profile(target.device->name)) return *std::move(bundled);
  return hwprofile::derived_profile(*target.device);
}

CompileOptions options_of(const CompileTarget& target) {
  CompileOptions options;
  options.precision = target.precision;
  options.weights = target.weights;
  options.device = target.device;
  options.on_host = target.on_host;
  options.optimizations = target.optimizations;
  options.winograd_budget = target.winograd_budget;
  options.max_group_size = target.max_group_size;
  options.threads = target.threads;
  options.progress = target.progress;
  const std::int64_t group_size = target.device ? target.device->max_group_size : 64;
  if (target.profile || target.device) options.target = schedules::target_of(profile_of(target), group_size);
  if (!target.optimizations.half_sums || (target.device && !target.device->has_fp16))
    options.target.computes_halves = false;
  options.target.has_integer_dot_product = target.device && target.device->has_integer_dot_product;
  options.target.has_matrix_units = target.device && target.device->has_matrix_units;
  return options;
}

}  // namespace tensordsl
