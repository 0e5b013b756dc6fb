#include "ops/definitions/resampling/resize_axis.h"

#include <limits>
#include <numeric>
#include <vector>

#include "ops/definitions/building_blocks.h"

namespace tensordsl::ops::definitions {
namespace {

using Numbers = std::vector<double>;

std::optional<double> given_scale(const Attributes& attributes, std::size_t d) {
  if (!attributes.has("scales")) return std::nullopt;
  return attributes.get<Numbers>("scales")[d];
}

}  // namespace

Expr ResizeAxis::Line::numerator(const Expr& i, const Size& extent) const {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const Size largest = factor * extent + offset + divisor;
  if (!is_less(kMost, largest).value_or(false)) return shifted(scaled(i, factor), offset);
  const Type wide = Int(64);
  return cast(wide, i) * number(wide, factor) + number(wide, offset);
}

ResizeAxis::Line ResizeAxis::Line::reduced_to_floor() const {
  if (!is_known()) return *this;
  const std::int64_t a = factor.value(), common = a == 0 ? divisor.value() : std::gcd(a, divisor.value());
  return {a / common, quotient(offset, common), divisor.value() / common};
}

ResizeAxis::Line ResizeAxis::Line::reduced() const {
  if (!is_known()) return *this;
  const std::int64_t common = std::gcd(std::gcd(factor.value(), offset.value()), divisor.value());
  return {factor.value() / common, offset.value() / common, divisor.value() / common};
}

ResizeAxis::ResizeAxis(const Attributes& attributes, std::size_t d, const Size& in, const Size& out)
    : in_(in), out_(out), scale_(scale_between(in, out, given_scale(attributes, d))) {
  const std::string& mode = attributes.get<std::string>("coordinate_transformation_mode");
  if (mode == "tf_crop_and_resize") {
    const Numbers& roi = attributes.get<Numbers>("roi");
    set_crop(roi[d], roi[d + roi.size() / 2]);
    return;
  }
  const Size &up = scale_.up, &down = scale_.down;
  is_identity_ = in_ == out_ && up == down;
  if (mode == "half_pixel") {
    line_ = {down * 2, down - up, up * 2};
  } else if (mode == "pytorch_half_pixel") {
    if (out_ != Size(1)) line_ = {down * 2, down - up, up * 2};
  } else if (mode == "half_pixel_symmetric") {
    line_ = {down * 2, in_ * up - out_ * down + down - up, up * 2};
  } else if (mode == "tf_half_pixel_for_nn") {
    line_ = {down * 2, down, up * 2};
  } else if (mode == "asymmetric") {
    line_ = {down, 0, up};
  } else {
    set_aligned();
  }
  line_ = line_.reduced();
}

Expr ResizeAxis::nearest(const Expr& i, const std::string& mode) const {
  const auto rounded = [&](const Size& factor, const Size& offset) {
    const Line nearer = Line{line_.factor * factor, line_.offset * factor + offset, line_.divisor * factor}
                            .reduced_to_floor();
    return inside(divided(nearer.numerator(i, out_), nearer.divisor), nearer);
  };
  if (!slope_) {
    if (mode == "floor") return rounded(1, 0);
    if (mode == "ceil") return rounded(1, line_.divisor - 1);
    return rounded(2, mode == "round_prefer_ceil" ? line_.divisor : line_.divisor - 1);
  }
  const Expr x = place(i);
  if (mode == "floor") return inside(floor(x));
  if (mode == "ceil") return inside(ceil(x));
  return inside(mode == "round_prefer_ceil" ? floor(x + 0.5f) : ceil(x - 0.5f));
}

Expr ResizeAxis::below(const Expr& i) const {
  if (slope_) return cast(Int(32), floor(place(i)));
  return cast(Int(32), divided(line_.numerator(i, out_), line_.divisor));
}

Expr ResizeAxis::fraction(const Expr& i, Type type) const {
  if (slope_) return cast(type, place(i) - floor(place(i)));
  if (line_.divisor == Size(1)) return constant(type, 0);
  const Expr numerator = line_.numerator(i, out_);
  return cast(type, numerator % number(numerator.type(), line_.divisor)) / number(type, line_.divisor);
}

Expr ResizeAxis::is_outside(const Expr& i) const {
  if (slope_) return place(i) < 0.0f || place(i) > cast(Float(32), index(in_ - 1));
  const Expr numerator = line_.numerator(i, out_);
  return numerator < 0 || numerator > number(numerator.type(), (in_ - 1) * line_.divisor);
}

Expr ResizeAxis::inside(const Expr& element) const {
  return clamp(cast(Int(32), element), 0, index(in_ - 1));
}

Expr ResizeAxis::is_inside(const Expr& element) const { return 0 <= element && element < index(in_); }

Expr ResizeAxis::inside(const Expr& element, const Line& line) const {
  if (line.is_known() && in_.is_known() && out_.is_known()) {
    const Size first = quotient(line.offset, line.divisor);
    const Size last = quotient(line.factor * (out_ - 1) + line.offset, line.divisor);
    if (is_less(first, 0) == false && is_less(last, in_) == true) return cast(Int(32), element);
  }
  return inside(element);
}

void ResizeAxis::set_aligned() {
  // Extents that need not be whole: the first and last of 2.4 elements have a distance of 1.4.
  if (scale_.is_of_extents) {
    if (out_ != Size(1)) line_ = {in_ - 1, 0, out_.is_known() ? out_ - 1 : max(out_ - 1, 1)};
  } else if (in_ * scale_.up != scale_.down) {
    line_ = {(in_ - 1) * scale_.down, 0, in_ * scale_.up - scale_.down};
  }
}

void ResizeAxis::set_crop(double start, double end) {
  const bool is_one = scale_.is_of_extents ? out_ == Size(1) : in_ * scale_.up == scale_.down;
  if (start == 0 && end == 1) {
    is_identity_ = in_ == out_ && scale_.up == scale_.down;
    if (is_one) {
      line_ = {0, in_ - 1, 2};
    } else {
      set_aligned();
    }
    line_ = line_.reduced();
    return;
  }
  const auto last = static_cast<double>(in_.value() - 1);
  const double width =
      static_cast<double>((in_ * scale_.up).value()) / static_cast<double>(scale_.down.value());
  slope_ = is_one ? 0 : (end - start) * last / (width - 1);
  offset_ = is_one ? 0.5 * (start + end) * last : start * last;
}

Expr ResizeAxis::place(const Expr& i) const {
  return cast(Float(32), i) * Expr(static_cast<float>(*slope_)) + Expr(static_cast<float>(offset_));
}

}  // namespace tensordsl::ops::definitions
