#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/resampling/interpolation.h"
#include "ops/definitions/resampling/resize_axis.h"

namespace tensordsl::ops::definitions {
namespace {

/// Returns the weight of an element at this distance, measured in elements of the output.
Expr filter_weight(const Attributes& attributes, Type type, const Expr& distance) {
  if (attributes.get<std::string>("mode") == "linear") return max(1 - distance, 0);
  const Expr a = constant(type, attributes.get<double>("cubic_coeff_a"));
  return select(distance <= 1, cubic_near(distance, a), select(distance < 2, cubic_far(distance, a), 0));
}

ResizeAxis axis_of(const Attributes& attributes, const Size& in, const Size& out) {
  return {attributes, static_cast<std::size_t>(attributes.get<std::int64_t>("axis")), in, out};
}

/// Returns the element of tap `tap` of `taps`, half of which are after position `i`; it may be outside.
Expr tapped(const ResizeAxis& axis, const Size& taps, const Expr& i, const Expr& tap) {
  return axis.below(i) + tap + index(1 - quotient(taps, 2));
}

}  // namespace

std::vector<Func> resize_weights(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const Shape& shape = operands.output().shape;
  const Type type = operands.output().type;
  const std::vector<Var> vars = index_vars(shape);
  const ResizeAxis axis = axis_of(attributes, attributes.sizes("extent").at(0), shape[0]);
  const Size &up = axis.scale().up, &down = axis.scale().down;
  const Expr scale = number(type, up) / number(type, max(up, down));
  const auto weight = [&](const Expr& tap) {
    const Expr place = axis.fraction(vars[0], type) + number(type, quotient(shape[1], 2) - 1);
    const Expr value = filter_weight(attributes, type, abs(cast(type, tap) - place) * scale);
    if (attributes.get<std::int64_t>("exclude_outside") == 0) return value;
    return select(axis.is_inside(tapped(axis, shape[1], vars[0], tap)), value, constant(type, 0));
  };
  const RDom r({{0, index(shape[1])}}, "r");
  Func total(operands.name + "_total");
  total(vars[0]) += weight(r);
  return {output(operands, vars, weight(vars[1]) / total(vars[0]))};
}

std::vector<Func> resize_along(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const auto d = static_cast<std::size_t>(attributes.get<std::int64_t>("axis"));
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const ResizeAxis axis = axis_of(attributes, operands.infos[0].shape[d], operands.output().shape[d]);
  const Size& taps = operands.infos[1].shape[1];
  const RDom r({{0, index(taps)}}, "r");
  std::vector<Expr> at(vars.begin(), vars.end());
  at[d] = axis.inside(tapped(axis, taps, vars[d], r));
  Func sum(operands.name + "_sum");
  sum(vars) += read(operands, 0, at) * read(operands, 1, {vars[d], r});
  Expr value = sum(vars);
  if (attributes.has("roi")) {
    const double outside = attributes.get<double>("extrapolation_value");
    value = select(axis.is_outside(vars[d]), constant(value.type(), outside), value);
  }
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
