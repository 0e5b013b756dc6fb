// Options for the compilation of a graph.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "graph/stages/scheduled_group.h"
#include "records/kernel_key.h"
#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"
#include "tensordsl/kernel_source.h"
#include "tensordsl/optimizations.h"
#include "tensordsl/precision.h"

namespace tensordsl::graph {

struct LoweringOptions {
  Target target;
  /// Figures by which schedules are priced; none: the first strategy that applies has its default
  /// configuration.
  std::optional<HwProfile> profile;
  std::optional<DeviceInfo> device;  ///< device whose limits and features the kernels may use; none: the
                                     ///< common ones
  /// Returns the work-items that the driver allows a kernel that it has built; null: the device's limit holds
  /// for all.
  std::function<std::int64_t(const KernelSource&)> max_group_size;
  std::set<std::string> on_host;  ///< kinds (Origin::kind) that the host computes, whatever kernels can
  std::set<std::string> disabled_passes;  ///< passes of lowering that are left out
  int threads = 0;                        ///< 0: one for each core
  std::function<void(int done, int total)> progress;
};

/// Asks, for one group, whether trials have found a better schedule than the one that the compiler takes
/// without any. It is not a trial itself: nothing is predicted or measured for it.
struct ScheduleQuery {
  const records::KernelKey& key;  ///< graph/schedule/group_key.h
  const definitions::StoredGroup& group;
  const Target& target;
  const GroupSchedule& first;  ///< the default, taken without an answer
  /// Returns the group by a schedule, with Funcs of its own. May be called by several threads.
  std::function<ScheduledGroup(const GroupSchedule&)> scheduled;
};

struct CompileOptions : LoweringOptions {
  Precision precision = Precision::Float32;
  WeightPrecision weights = WeightPrecision::Model;
  Optimizations optimizations;
  std::optional<std::int64_t> winograd_budget;  ///< see use_winograd
  ScheduleChoices schedules;                    ///< fixed by the caller, by group
  /// Returns the tuned schedule of any other group. Null, or nullopt: the default is used.
  std::function<std::optional<GroupSchedule>(const ScheduleQuery&)> known_schedule{};
  /// Returns true if a group is slower than its alternative: separate kernels, or a convolution without
  /// Winograd's algorithm. The argument is the structure of the group's key (graph/schedule/group_key.h).
  /// Null: the graph decides by its own estimates.
  std::function<bool(const std::string& key)> better_apart{};
};

}  // namespace tensordsl::graph
