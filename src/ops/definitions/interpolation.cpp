#include "ops/definitions/interpolation.h"

#include "ir/expr_node.h"
#include "ops/definitions/building_blocks.h"

namespace tensordsl::definitions {
namespace {

/// Keys' convolution: of elements at most 1 away, and of those farther away.
Expr cubic_weight(const Expr& distance) {
  constexpr double a = -0.75;
  const Expr d = distance;
  const Expr near = ((a + 2) * d - (a + 3)) * d * d + 1;
  const Expr far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  return select(d <= 1, near, far);
}

}  // namespace

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

}  // namespace tensordsl::definitions
