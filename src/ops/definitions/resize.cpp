#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"
#include "ops/resize_scale.h"
#include "tensordsl/error.h"

namespace tensordsl::definitions {
namespace {

/// (factor * i + offset) / divisor
struct Line {
  Size factor = 0, offset = 0, divisor = 1;

  bool is_known() const { return factor.is_known() && offset.is_known() && divisor.is_known(); }

  /// At `i`, with the division left out. In i64, where it would be more than 32 bits hold.
  Expr numerator(const Expr& i, const Size& extent) const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const Size largest = factor * extent + offset + divisor;
    if (!is_less(kMost, largest).value_or(false)) return shifted(scaled(i, factor), offset);
    const Type wide = Int(64);
    return cast(wide, i) * number(wide, factor) + number(wide, offset);
  }

  /// The next integer below, of numbers that have no smaller form.
  Line reduced_to_floor() const {
    if (!is_known()) return *this;
    const std::int64_t a = factor.value(), common = a == 0 ? divisor.value() : std::gcd(a, divisor.value());
    return {a / common, quotient(offset, common), divisor.value() / common};
  }
  Line reduced() const {
    if (!is_known()) return *this;
    const std::int64_t common = std::gcd(std::gcd(factor.value(), offset.value()), divisor.value());
    return {factor.value() / common, offset.value() / common, divisor.value() / common};
  }
};

/// Where, along one dimension, the elements of the output lie between those of the input.
class Axis {
 public:
  Axis(const OperatorOperands& operands, std::size_t d)
      : in_(operands.infos[0].shape[d]), out_(operands.output().shape[d]) {
    using Numbers = std::vector<double>;
    const Attributes& attributes = operands.attributes;
    const std::string& mode = attributes.get<std::string>("coordinate_transformation_mode");
    std::optional<double> given;
    if (attributes.has("scales")) given = attributes.get<Numbers>("scales")[d];
    const Scale scale = scale_between(in_, out_, given);
    const Size &up = scale.up, &down = scale.down;
    if (mode == "tf_crop_and_resize") {
      const Numbers& roi = attributes.get<Numbers>("roi");
      set_crop(scale, roi[d], roi[d + roi.size() / 2]);
      return;
    }
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
      set_aligned(scale);
    }
    line_ = line_.reduced();
  }

  bool is_identity() const { return is_identity_; }

  /// The element that is nearest to place `i`.
  Expr nearest(const Expr& i, const std::string& mode) const {
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

  /// The last element that is not behind place `i`; it may be outside.
  Expr below(const Expr& i) const {
    if (slope_) return cast(Int(32), floor(place(i)));
    return cast(Int(32), divided(line_.numerator(i, out_), line_.divisor));
  }
  /// How far place `i` is from there to the next one.
  Expr fraction(const Expr& i, Type type) const {
    if (slope_) return cast(type, place(i) - floor(place(i)));
    if (line_.divisor == Size(1)) return constant(type, 0);
    const Expr numerator = line_.numerator(i, out_);
    return cast(type, numerator % number(numerator.type(), line_.divisor)) / number(type, line_.divisor);
  }
  /// Whether place `i` is not between elements.
  Expr is_outside(const Expr& i) const {
    if (slope_) return place(i) < 0.0f || place(i) > cast(Float(32), index(in_ - 1));
    const Expr numerator = line_.numerator(i, out_);
    return numerator < 0 || numerator > number(numerator.type(), (in_ - 1) * line_.divisor);
  }
  /// An element for each of places outside too.
  Expr inside(const Expr& element) const { return clamp(cast(Int(32), element), 0, index(in_ - 1)); }
  Expr is_inside(const Expr& element) const { return 0 <= element && element < index(in_); }

 private:
  /// The same, without a test where the whole line is inside.
  Expr inside(const Expr& element, const Line& line) const {
    if (line.is_known() && in_.is_known() && out_.is_known()) {
      const Size first = quotient(line.offset, line.divisor);
      const Size last = quotient(line.factor * (out_ - 1) + line.offset, line.divisor);
      if (is_less(first, 0) == false && is_less(last, in_) == true) return cast(Int(32), element);
    }
    return inside(element);
  }

  void set_aligned(const Scale& scale) {
    // Extents that need not be whole: 2.4 elements are 1.4 apart.
    if (scale.is_of_extents) {
      if (out_ != Size(1)) line_ = {in_ - 1, 0, out_.is_known() ? out_ - 1 : max(out_ - 1, 1)};
    } else if (in_ * scale.up != scale.down) {
      line_ = {(in_ - 1) * scale.down, 0, in_ * scale.up - scale.down};
    }
  }

  void set_crop(const Scale& scale, double start, double end) {
    const bool is_one = scale.is_of_extents ? out_ == Size(1) : in_ * scale.up == scale.down;
    if (start == 0 && end == 1) {
      is_identity_ = in_ == out_ && scale.up == scale.down;
      if (is_one) {
        line_ = {0, in_ - 1, 2};
      } else {
        set_aligned(scale);
      }
      line_ = line_.reduced();
      return;
    }
    const auto last = static_cast<double>(in_.value() - 1);
    const double width =
        static_cast<double>((in_ * scale.up).value()) / static_cast<double>(scale.down.value());
    slope_ = is_one ? 0 : (end - start) * last / (width - 1);
    offset_ = is_one ? 0.5 * (start + end) * last : start * last;
  }

  Expr place(const Expr& i) const {
    return cast(Float(32), i) * Expr(static_cast<float>(*slope_)) + Expr(static_cast<float>(offset_));
  }

  Size in_, out_;
  bool is_identity_ = false;
  Line line_;
  std::optional<double> slope_;  // in the place of line_, where it is no fraction
  double offset_ = 0;
};

struct Tap {
  Expr element, weight;
};

/// The weights of the elements from the one before `below` on, for a place that is `t` past it.
std::vector<Expr> cubic_weights(const Expr& t, const Expr& a) {
  const auto far = [&](const Expr& s) { return ((a * s - 5.0f * a) * s + 8.0f * a) * s - 4.0f * a; };
  const auto near = [&](const Expr& s) { return ((a + 2.0f) * s - (a + 3.0f)) * s * s + 1.0f; };
  return {far(t + 1.0f), near(t), near(1.0f - t), far(2.0f - t)};
}

std::vector<Tap> taps(const OperatorOperands& operands, const Axis& axis, const Expr& i, Type type) {
  const Attributes& attributes = operands.attributes;
  const Expr below = axis.below(i), t = axis.fraction(i, type);
  std::vector<Tap> taps;
  if (attributes.get<std::string>("mode") == "linear") {
    taps = {{below, constant(type, 1) - t}, {below + 1, t}};
  } else {
    const std::vector<Expr> weights =
        cubic_weights(t, constant(type, attributes.get<double>("cubic_coeff_a")));
    for (std::size_t k = 0; k < weights.size(); ++k)
      taps.push_back({below + (static_cast<int>(k) - 1), weights[k]});
  }
  if (attributes.get<std::int64_t>("exclude_outside") != 0) {
    Expr sum;
    for (Tap& tap : taps) {
      tap.weight = select(axis.is_inside(tap.element), tap.weight, constant(type, 0));
      sum = sum.defined() ? sum + tap.weight : tap.weight;
    }
    for (Tap& tap : taps) tap.weight = tap.weight / sum;
  }
  for (Tap& tap : taps) tap.element = axis.inside(tap.element);
  return taps;
}

}  // namespace

std::vector<Func> resize(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const bool is_nearest = attributes.get<std::string>("mode") == "nearest";
  const std::string& nearest_mode = attributes.get<std::string>("nearest_mode");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Type x_type = operands.infos[0].type;
  // 64-bit integers are more than an f32 holds.
  const Type type = x_type == Float(64) || (x_type.is_integer() && x_type.bits == 64) ? Float(64) : Float(32);

  std::vector<Expr> at(vars.begin(),
                       vars.begin() + static_cast<std::ptrdiff_t>(operands.infos[0].shape.size()));
  std::vector<std::vector<Tap>> blended(at.size());
  Expr outside;
  for (std::size_t d = 0; d < at.size(); ++d) {
    const Axis axis(operands, d);
    if (axis.is_identity()) continue;
    if (attributes.has("roi"))
      outside = outside.defined() ? outside || axis.is_outside(vars[d]) : axis.is_outside(vars[d]);
    if (is_nearest) {
      at[d] = axis.nearest(vars[d], nearest_mode);
    } else {
      blended[d] = taps(operands, axis, vars[d], type);
    }
  }

  // Along one dimension after the other.
  const std::function<Expr(std::size_t)> value_from = [&](std::size_t d) -> Expr {
    if (d == at.size()) return is_nearest ? read(operands, 0, at) : cast(type, read(operands, 0, at));
    if (blended[d].empty()) return value_from(d + 1);
    Expr sum;
    for (const Tap& tap : blended[d]) {
      at[d] = tap.element;
      const Expr part = tap.weight * value_from(d + 1);
      sum = sum.defined() ? sum + part : part;
    }
    return sum;
  };
  Expr value = value_from(0);
  if (outside.defined())
    value = select(outside, constant(value.type(), attributes.get<double>("extrapolation_value")), value);
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::definitions
