// A static estimate of the resources that a configuration needs, before anything is lowered.
#pragma once

#include <functional>
#include <optional>

#include "predict/kernel_usage.h"
#include "schedules/support/point.h"

namespace tensordsl::schedules {

/// The estimated usage and cost of a configuration.
struct PointOutline {
  predict::KernelUsage usage;
  double cost = 0;  ///< time, in a unit of the strategy's own: less is better
};

/// Estimates a configuration; nullopt for one that does not fit the extents.
using PointOutlines = std::function<std::optional<PointOutline>(const Point&)>;

}  // namespace tensordsl::schedules
