// Needs: scheduled groups with their keys.  Gives: the Program of each, or why it has none; equal ones are
// lowered once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
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
  Target target;  ///< that its schedule is for
  ChosenSchedule schedule;
  std::string key;         ///< graph/group_key.h
  std::string refusal;     ///< why the host shall compute it; empty: kernels do
  std::string nodes;       ///< that it computes, for errors
  std::int64_t flops = 0;  ///< as it is defined: a schedule may write a sum anew
  std::optional<std::size_t> overwritten = std::nullopt;  ///< graph/choose_overwritten.h; in the key too
  bool is_better_apart = false;                           ///< CompileOptions::better_apart says so
};

/// A group as kernels, or why there are none.
struct LoweredGroup {
  std::shared_ptr<const Program> program;  ///< null: the host computes it
  std::string refusal;
};

struct LoweringOptions {
  Target target;
  std::optional<DeviceInfo> device;  ///< whose limits and features the kernels may use; none: the common ones
  /// Work-items that the driver allows a kernel that it has built; null: what the device allows every one.
  std::function<std::int64_t(const KernelSource&)> max_group_size;
  std::set<std::string> on_host;  ///< kinds (Origin::kind) that the host computes, whatever kernels can
  int threads = 0;                ///< 0: one for each core
  std::function<void(int done, int total)> progress;
};

/// One for each group, in order; equal groups share theirs. The result does not depend on the number of
/// threads. What a ScheduleError says of a group is its refusal: the device lacks what it takes, or there is
/// no form of it as kernels. Throws ModelError, which names the nodes, on definitions that cannot be lowered,
/// as of an operator of a user's that reads outside its inputs.
std::vector<LoweredGroup> lower_groups(std::vector<ScheduledGroup>& groups, const LoweringOptions& options);

}  // namespace tensordsl
