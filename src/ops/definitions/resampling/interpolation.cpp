#include "ops/definitions/resampling/interpolation.h"

#include "ir/nodes/expr_node.h"
#include "ops/definitions/building_blocks.h"

namespace tensordsl::ops::definitions {
namespace {

Expr cubic_weight(const Expr& distance) {
  const Expr a = constant(distance.type(), -0.75);
  return select(distance <= 1, cubic_near(distance, a), cubic_far(distance, a));
}

}  // namespace

Expr cubic_near(const Expr& distance, const Expr& a) {
  return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
}

Expr cubic_far(const Expr& distance, const Expr& a) {
  return ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a;
}

SamplePlace::SamplePlace(const std::string& mode, const Expr& position, const Size& extent)
    : taps_(mode == "nearest"  ? 1
            : mode == "linear" ? 2
                               : 4) {
  // An index that has left i32 would be no index any more.
  const Expr near = clamp(position, -4, number(position.type(), extent + 4));
  const Expr floored = mode == "nearest" ? round(near) : floor(near);
  // Bounds of indices are not followed through floats.
  const Expr element = clamp(cast(Int(32), floored), -4, index(extent + 4));
  first_ = shifted(element, taps_ == 4 ? -1 : 0);
  fraction_ = near - floored;
}

Expr SamplePlace::element(const Expr& tap) const { return first_ + tap; }

Expr SamplePlace::weight(const Expr& tap) const {
  if (taps_ == 1) return 1.0;
  if (taps_ == 4) return cubic_weight(abs(fraction_ + 1 - cast(fraction_.type(), tap)));
  const std::int64_t* known = ir::as_int(tap);
  const Expr before = 1 - fraction_;
  if (known) return *known == 0 ? before : fraction_;
  return select(tap == 0, before, fraction_);
}

}  // namespace tensordsl::ops::definitions
