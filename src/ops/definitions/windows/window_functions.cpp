#include <numbers>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// The coefficients of a cosine window: the constant, and the factors of the cosines of one and of two turns
/// over the window.
struct Cosines {
  double constant = 0, once = 0, twice = 0;
};

/// Computes a window, in f32 for all types but f64. A window that is not periodic ends as it begins; one of a
/// single element has the first value.
std::vector<Func> window(const OperatorOperands& operands, const Cosines& cosines) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Type type = operands.output().type == Float(64) ? Float(64) : Float(32);
  const bool is_periodic = operands.attributes.get<std::int64_t>("periodic") != 0;
  const Size size = operands.output().shape[0], turn = max(size - (is_periodic ? 0 : 1), 1);
  const Expr angle = cast(type, vars[0]) * (constant(type, 2 * std::numbers::pi) / number(type, turn));
  Expr value = constant(type, cosines.constant) - constant(type, cosines.once) * cos(angle);
  if (cosines.twice != 0) value = value + constant(type, cosines.twice) * cos(angle * constant(type, 2));
  return {output(operands, vars, value)};
}

}  // namespace

std::vector<Func> blackman_window(const OperatorOperands& operands) {
  return window(operands, {0.42, 0.5, 0.08});
}
std::vector<Func> hamming_window(const OperatorOperands& operands) {
  return window(operands, {25.0 / 46, 21.0 / 46});
}
std::vector<Func> hann_window(const OperatorOperands& operands) { return window(operands, {0.5, 0.5}); }

}  // namespace tensordsl::ops::definitions
