// Maps the elements of a Resize's output to positions in its input, along one dimension.
#pragma once

#include <optional>
#include <string>

#include "ops/attributes.h"
#include "ops/resize_scale.h"
#include "ops/size.h"
#include "tensordsl/expr.h"

namespace tensordsl::ops::definitions {

class ResizeAxis {
 public:
  /// Dimension `d`, of extent `in` before and `out` after, of a Resize whose attributes have every default
  /// written out.
  ResizeAxis(const Attributes& attributes, std::size_t d, const Size& in, const Size& out);

  const Scale& scale() const { return scale_; }
  bool is_identity() const { return is_identity_; }

  /// Returns the element that is nearest to position `i`.
  Expr nearest(const Expr& i, const std::string& mode) const;
  /// Returns the last element at or before position `i`; it may be outside.
  Expr below(const Expr& i) const;
  /// Returns the distance of position `i` from that element, as a share of the distance to the next one.
  Expr fraction(const Expr& i, Type type) const;
  /// True if position `i` is not between elements.
  Expr is_outside(const Expr& i) const;
  /// Returns an element that exists, also for positions outside.
  Expr inside(const Expr& element) const;
  Expr is_inside(const Expr& element) const;

 private:
  /// (factor * i + offset) / divisor
  struct Line {
    Size factor = 0, offset = 0, divisor = 1;

    bool is_known() const { return factor.is_known() && offset.is_known() && divisor.is_known(); }
    /// Returns the position of `i` times the divisor; in i64 if it may exceed 32 bits.
    Expr numerator(const Expr& i, const Size& extent) const;
    /// The next integer below, of numbers that have no smaller form.
    Line reduced_to_floor() const;
    Line reduced() const;
  };

  /// Tests as inside(element) does, without a test where the whole line is inside.
  Expr inside(const Expr& element, const Line& line) const;
  void set_aligned();
  void set_crop(double start, double end);
  Expr place(const Expr& i) const;

  Size in_, out_;
  Scale scale_;
  bool is_identity_ = false;
  Line line_;
  std::optional<double> slope_;  // instead of line_, where that would not be a fraction
  double offset_ = 0;
};

}  // namespace tensordsl::ops::definitions
