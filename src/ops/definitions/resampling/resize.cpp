#include <functional>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/resampling/interpolation.h"
#include "ops/definitions/resampling/resize_axis.h"

namespace tensordsl::ops::definitions {
namespace {

struct Tap {
  Expr element, weight;
};

/// Returns the weights of the elements from the one before `below` on, for a position that is `t` past
/// `below`.
std::vector<Expr> cubic_weights(const Expr& t, const Expr& a) {
  return {cubic_far(t + 1.0f, a), cubic_near(t, a), cubic_near(1.0f - t, a), cubic_far(2.0f - t, a)};
}

std::vector<Tap> taps(const OperatorOperands& operands, const ResizeAxis& axis, const Expr& i, Type type) {
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
    const ResizeAxis axis(attributes, d, operands.infos[0].shape[d], operands.output().shape[d]);
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

}  // namespace tensordsl::ops::definitions
