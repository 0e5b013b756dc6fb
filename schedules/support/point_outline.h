// What a point takes of a device, before anything is lowered.
#pragma once

#include <functional>
#include <optional>

#include "predict/kernel_usage.h"
#include "schedules/support/point.h"

namespace tensordsl::schedules {

/// By expressions of the knobs.
struct PointOutline {
  predict::KernelUsage usage;
  double cost = 0;  ///< time, in a unit of the strategy's own: less is better
};

/// Nothing for a point that does not fit the extents.
using PointOutlines = std::function<std::optional<PointOutline>(const Point&)>;

}  // namespace tensordsl::schedules
