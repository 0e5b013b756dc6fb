// What a schedule has to know of the device.
#pragma once

#include <cstdint>

#include "tensordsl/hw_profile.h"

namespace tensordsl::schedules {

struct Target {
  /// Floats of one vector operation that the schedules use.
  int vector_width = 4;
  /// Vector accumulators that a work-item can keep in registers beside its operands.
  int accumulators = 8;
  /// Work-items of a group; 1 where a work-group runs on one thread of a CPU.
  int group_items = 64;
  int compute_units = 8;
  /// Work-items that run at the same time on the whole device.
  int parallel_items = 1024;
  /// Vector operations that a work-group should have at least, so that starting it does not show.
  int work_per_group = 64;

  friend bool operator==(const Target&, const Target&) = default;
};

/// From what was measured of a device, or is known of it. What the profile does not say is as in Target.
/// `max_group_size`: work-items that the device takes in a group.
Target target_of(const HwProfile& profile, std::int64_t max_group_size = 64);

}  // namespace tensordsl::schedules
