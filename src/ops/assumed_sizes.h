// Sizes that an operator takes to be equal and that are so only for some symbolic dimensions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/size.h"
#include "tensordsl/error.h"

namespace tensordsl::ops {

/// `a` and `b` may be equal, but are not for all dimensions.
class UnequalSizes : public ShapeError {
 public:
  UnequalSizes(const std::string& text, Size of_a, Size of_b)
      : ShapeError(text), a(std::move(of_a)), b(std::move(of_b)) {}
  Size a, b;
};

/// Reports that two sizes differ. Throws UnequalSizes, or ShapeError if they are equal for no dimensions, or
/// only data determines whether they are equal.
[[noreturn]] void refuse_unequal(const std::string& text, const Size& a, const Size& b);

/// Reports the first two extents that differ. Throws UnequalSizes; ShapeError if the numbers of extents
/// differ, or if two extents are equal for no dimensions.
[[noreturn]] void refuse_unequal(const std::string& text, const Sizes& a, const Sizes& b);

/// Reports that `size` is not a multiple of `divisor`. Throws like refuse_unequal().
[[noreturn]] void refuse_indivisible(const std::string& text, const Size& size, const Size& divisor);

/// Says that one size is taken to be another: total = past + sequence, height = height/2*2,
/// min(n, 512) = n.
struct AssumedSize {
  Size size;  ///< a symbolic dimension, a minimum or a maximum
  Size value;

  /// True if `size` is a symbolic dimension, which `value` replaces in the shapes of inputs too.
  bool is_of_symbol() const;
};

/// Returns the assumption that makes the sizes equal: that an extremum is one of its operands, or the value
/// of one of `symbols`, the last one if several could be solved for. Nullopt if there is none.
std::optional<AssumedSize> assume_equal(const Size& a, const Size& b,
                                        const std::vector<std::string>& symbols);

/// Returns `size` where the assumption holds.
Size substitute(const Size& size, const AssumedSize& assumed);

}  // namespace tensordsl::ops
