// Values of an image between its elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/size.h"
#include "tensordsl/expr.h"

namespace tensordsl::ops::definitions {

/// Keys' convolution with the coefficient `a`: the weight of an element at most 1 away, and of one from 1 to
/// 2 away.
Expr cubic_near(const Expr& distance, const Expr& a);
Expr cubic_far(const Expr& distance, const Expr& a);

/// A position along one dimension: neighboring elements, the taps, each with its weight.
class SamplePlace {
 public:
  /// "nearest" has one tap, "linear" two, "cubic" four (with the coefficient -0.75). A `position` far outside
  /// [0, extent) is moved to just outside; its taps are outside then as before.
  SamplePlace(const std::string& mode, const Expr& position, const Size& extent);

  int taps() const { return taps_; }
  /// Returns the index of the element that `tap` reads, which may be outside [0, extent).
  Expr element(const Expr& tap) const;
  /// The weight of tap 0 .. taps() - 1; a constant tap gives a shorter expression.
  Expr weight(const Expr& tap) const;

 private:
  int taps_;
  Expr first_;     // the element of tap 0
  Expr fraction_;  // of the position above its floor
};

}  // namespace tensordsl::ops::definitions
