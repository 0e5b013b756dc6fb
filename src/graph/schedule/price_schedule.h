// A group and a schedule -> its price: the time that the model of a device predicts, without lowering
#pragma once

#include <functional>
#include <optional>

#include "graph/stages/scheduled_group.h"
#include "predict/device_figures.h"

namespace tensordsl::graph {

/// True if the schedule reads and writes the group's images in texels.
bool keeps_images(const definitions::StoredGroup& group, const GroupSchedule& schedule);

/// Puts a group's constants where a schedule wants them.
using StoreConstants = std::function<void(definitions::StoredGroup&, const GroupSchedule&)>;

/// Prices schedules of one group. It schedules the group and puts it back as it was, so nothing else may use
/// the group meanwhile.
class SchedulePricer {
 public:
  SchedulePricer(definitions::StoredGroup& group, const Target& target, const predict::DeviceFigures& device,
                 StoreConstants store_constants);

  /// Returns the microseconds of all kernels with their launches. Returns nothing for a schedule that the
  /// directives refuse, or that does not read or write the group's images in texels. Returns nothing for one
  /// that no device runs well, either: it needs more registers than a work-item has, or its text exceeds the
  /// instruction cache.
  std::optional<double> price_of(const GroupSchedule& schedule);

 private:
  definitions::StoredGroup& group_;
  const Target& target_;
  const predict::DeviceFigures& device_;
  StoreConstants store_constants_;
};

}  // namespace tensordsl::graph
