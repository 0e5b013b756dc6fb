// The strategy and configuration of least price for a group, by a search without a trial.
// Source: the criteria of Romou (MobiCom 2022), section 4.2, cut the space before it is priced.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "graph/schedule/price_schedule.h"
#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::graph {

/// Finds schedules by their price. Groups with equal keys have one search, whatever thread asks first.
class CheapestSchedules {
 public:
  /// `device`: its limits hold, where it is known.
  explicit CheapestSchedules(const HwProfile& profile, const std::optional<DeviceInfo>& device = {});

  /// Returns the schedule of least price that a descent finds, knob by knob, from the default configuration
  /// of each strategy that applies. Returns `first` if its strategy has a chosen tile, if it is
  /// refused for something else than its registers or its text, or if no other is cheaper by more than the
  /// error of the model. Tensors in images are read and written as
  /// such. Where the profile does not say how long a launch takes, no schedule makes more kernels of a group
  /// than `first` does.
  GroupSchedule of(definitions::StoredGroup& group, const GroupSchedule& first, const Target& target,
                   const StoreConstants& store_constants);

 private:
  struct Found {
    std::once_flag once;
    GroupSchedule schedule;
  };

  predict::DeviceFigures device_;
  bool knows_launches_;
  std::int64_t most_local_bytes_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Found>> found_;  // by the group's key and the default
};

}  // namespace tensordsl::graph
