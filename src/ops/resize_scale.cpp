#include "ops/resize_scale.h"

#include <cmath>

namespace tensordsl::ops {

Scale scale_of(double scale) {
  // Convergents of the continued fraction.
  constexpr int kMostSteps = 32;
  std::int64_t up = 1, down = 0, last_up = 0, last_down = 1;
  double rest = scale;
  for (int step = 0; step < kMostSteps; ++step) {
    const double whole = std::floor(rest);
    const std::int64_t next_up = static_cast<std::int64_t>(whole) * up + last_up;
    const std::int64_t next_down = static_cast<std::int64_t>(whole) * down + last_down;
    last_up = up;
    last_down = down;
    up = next_up;
    down = next_down;
    const double value = static_cast<double>(up) / static_cast<double>(down);
    if (static_cast<float>(value) == static_cast<float>(scale) || rest == whole) break;
    rest = 1 / (rest - whole);
  }
  return {up, down, false};
}

Scale scale_between(const Size& in, const Size& out, const std::optional<double>& scale) {
  const Scale of_extents{out, in, true};
  if (!scale) return of_extents;
  const Scale given = scale_of(*scale);
  return out * given.down == in * given.up ? of_extents : given;
}

Size antialiasing_taps(const Scale& scale, std::int64_t radius) {
  return quotient(max(scale.up, scale.down) * radius + scale.up - 1, scale.up) * 2;
}

Size scaled_extent(const Size& in, double scale) {
  const Scale fraction = scale_of(scale);
  return quotient(in * fraction.up, fraction.down);
}

}  // namespace tensordsl::ops
