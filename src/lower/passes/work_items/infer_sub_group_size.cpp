#include "lower/passes/work_items/infer_sub_group_size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lower/analyze/convergent_operations.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

namespace {

int sub_group_size(const std::string& function, int work_items) {
  constexpr int kSmallest = 2, kLargest = 128;
  const bool is_power = (work_items & (work_items - 1)) == 0;
  if (is_power && work_items >= kSmallest && work_items <= kLargest) return work_items;
  throw ScheduleError(
      fmt::format("{}: dimension 0 of its work-groups is a sub-group of {} work-items; the supported sizes "
                  "are 2, 4, 8, 16, 32, 64 and 128",
                  function, work_items));
}

void check_device(const std::string& function, const KernelBody& kernel, const SubGroups& device) {
  if (!device.has_any) {
    throw ScheduleError(fmt::format(
        "{}: the device has no sub-groups (cl_khr_subgroups, cl_intel_subgroups); use gpu_threads with "
        "store_in(Local)",
        function));
  }
  if (has_shuffle(kernel.body) && !device.has_shuffle) {
    throw ScheduleError(
        fmt::format("{}: work-items of this device's sub-groups can only broadcast, not read from each other "
                    "(cl_khr_subgroup_shuffle, cl_intel_subgroups); use store_in(Local)",
                    function));
  }
  const int size = kernel.sub_group_size;
  const auto& sizes = device.sizes;
  if (sizes.empty() || std::find(sizes.begin(), sizes.end(), size) != sizes.end()) return;
  throw ScheduleError(
      fmt::format("{}: the kernel needs sub-groups of {} work-items, but the device supports {}", function,
                  size, fmt::join(sizes, ", ")));
}

}  // namespace

KernelBody infer_sub_group_size(const KernelBody& kernel, const PassContext& context) {
  if (!has_sub_group_operation(kernel.body)) return kernel;
  KernelBody result = kernel;
  result.sub_group_size = sub_group_size(context.nest.function, kernel.group_size[0]);
  if (context.options.sub_groups) check_device(context.nest.function, result, *context.options.sub_groups);
  return result;
}

}  // namespace tensordsl::lower
