// The image a tensor lies in, from its layout.
#pragma once

#include "lower/lowered.h"
#include "schedule/schedule.h"

namespace tensordsl::lower {

/// `extents` are logical. Throws ScheduleError if the groups of the layout are not the coordinates of such an
/// image, or if constant extents exceed `limits`.
ImageShape image_shape(const schedule::ScheduledFunction& function, const std::vector<Expr>& extents,
                       const std::optional<ImageLimits>& limits);

}  // namespace tensordsl::lower
