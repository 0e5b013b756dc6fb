// The scale of an extent in Resize.
#pragma once

#include <optional>

#include "ops/size.h"

namespace tensordsl::ops {

/// up / down
struct Scale {
  Size up = 1, down = 1;
  /// True if the scale is the ratio of the whole extents; otherwise the extents need not be a multiple of it.
  bool is_of_extents = false;
};

/// The simplest fraction that is `scale` as an f32: models have 0.6 for 3/5.
Scale scale_of(double scale);
/// Returns the scale from an extent of `in` to one of `out`; `scale` is the model's, if it has one.
Scale scale_between(const Size& in, const Size& out, const std::optional<double>& scale);
/// The taps of a filter of `radius` elements of the output, in elements of the input where these are smaller:
/// as many on each side of a position.
Size antialiasing_taps(const Scale& scale, std::int64_t radius);
/// The extent that one of `in` is scaled to.
Size scaled_extent(const Size& in, double scale);

}  // namespace tensordsl::ops
