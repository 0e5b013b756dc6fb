// A group and a schedule -> its price: the time that the model of a device predicts, without lowering
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "graph/stages/scheduled_group.h"
#include "predict/device_figures.h"

namespace tensordsl::graph {

/// True if the schedule reads and writes the group's images in texels.
bool keeps_images(const definitions::StoredGroup& group, const GroupSchedule& schedule);

/// Puts a group's constants where a schedule wants them.
using StoreConstants = std::function<void(definitions::StoredGroup&, const GroupSchedule&)>;

struct SchedulePrice {
  double us = 0;            ///< of all kernels with their launches
  std::size_t kernels = 0;  ///< that the schedule makes of the group
};

/// Prices schedules of one group. It schedules the group and puts it back as it was when the object was made,
/// so nothing else may change the group meanwhile.
class SchedulePricer {
 public:
  /// `most_local_bytes`: local memory of a work-group.
  SchedulePricer(definitions::StoredGroup& group, const Target& target, const predict::DeviceFigures& device,
                 std::int64_t most_local_bytes, StoreConstants store_constants);
  ~SchedulePricer();

  /// Returns nothing for a schedule that the directives refuse, that needs more local memory than there is,
  /// or that does not read or write the group's images in texels. Returns nothing for one that no device runs
  /// well, either: it needs more registers than a work-item has, or its text exceeds the instruction cache.
  std::optional<SchedulePrice> price_of(const GroupSchedule& schedule);
  /// True if the last schedule has no price because of its registers or its text.
  bool is_too_large() const { return is_too_large_; }

 private:
  class SavedGroup;

  definitions::StoredGroup& group_;
  const Target& target_;
  const predict::DeviceFigures& device_;
  std::int64_t most_local_bytes_;
  StoreConstants store_constants_;
  std::unique_ptr<SavedGroup> saved_;
  bool is_too_large_ = false;
};

}  // namespace tensordsl::graph
