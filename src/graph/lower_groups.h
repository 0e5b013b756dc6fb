// Needs: scheduled groups with their keys.  Gives: the Program of each; equal ones are lowered once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "definitions/group.h"
#include "graph/choose_schedules.h"
#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl {

/// A group on its way to kernels.
struct ScheduledGroup {
  Group group;
  ChosenSchedule schedule;
  std::string key;  ///< graph/group_key.h
};

struct LoweringOptions {
  Target target;
  std::optional<DeviceInfo> device;  ///< whose limits and features the kernels may use; none: the common ones
  int threads = 0;                   ///< 0: one for each core
  std::function<void(int done, int total)> progress;
};

/// One for each group, in order; equal groups share theirs. The result does not depend on the number of
/// threads.
std::vector<std::shared_ptr<const Program>> lower_groups(std::vector<ScheduledGroup>& groups,
                                                         const LoweringOptions& options);

}  // namespace tensordsl
