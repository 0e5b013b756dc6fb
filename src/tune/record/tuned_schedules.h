// Schedules that trials have found, for kernels that are compiled without any.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/stages/compile_options.h"
#include "predict/device_figures.h"
#include "records/tuning_record.h"
#include "tensordsl/hw_profile.h"
#include "tune/rank/evaluate_schedule.h"

namespace tensordsl::tune {

/// The fastest recorded schedule of each kernel. A kernel without trials takes the schedule of the nearest
/// one of its family, unless the device's model predicts that it is slower than the untuned default.
class TunedSchedules {
 public:
  /// Uses the fastest record of a kernel, and the first of several of the same time. If several kernels are
  /// equally near, the one whose records come first is used.
  TunedSchedules(const std::vector<records::TuningRecord>& records, HwProfile profile,
                 std::optional<DeviceInfo> device);

  // Not copyable: families_ holds pointers into best_.
  TunedSchedules(const TunedSchedules&) = delete;
  TunedSchedules& operator=(const TunedSchedules&) = delete;

  bool is_empty() const { return best_.empty() && apart_us_.empty(); }
  std::optional<graph::GroupSchedule> find(const graph::ScheduleQuery& query) const;
  /// True if the unfused groups that replace the kernel were faster than its best schedule.
  bool is_better_apart(const std::string& structure) const;

 private:
  /// Returns the nearest record of the same family; null if none applies.
  const records::TuningRecord* nearest(const records::KernelKey& key) const;
  search::Evaluation evaluated(const graph::ScheduleQuery& query, const graph::GroupSchedule& schedule) const;

  std::map<std::string, records::TuningRecord> best_;  // by structure
  std::map<std::string, double> apart_us_;             // by structure, of the kernels that replace it
  std::map<std::string, std::vector<const records::TuningRecord*>> families_;  // in their order
  HwProfile profile_;
  std::optional<DeviceInfo> device_;
};

}  // namespace tensordsl::tune
