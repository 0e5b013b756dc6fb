// Selects elements by data. Their number is a data-dependent size, a count of the Program
// (ops/normalize/selection.cpp).
#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// Returns the number of binary-search steps that find any position in a row of `length`.
int halvings(const Size& length) {
  constexpr int kMost = 31;
  if (!length.is_known()) return kMost;
  int steps = 1;
  while (steps < kMost && (std::int64_t{1} << steps) <= length.value()) ++steps;
  return steps;
}

}  // namespace

std::vector<Func> non_zero(const OperatorOperands& operands) {
  const Size length = operands.infos[0].shape[0];
  const Sizes shape = operands.attributes.sizes("shape");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Var& number = vars[1];

  // Counts the elements whose running sum is at most `number`: this is the position of the next one.
  const int steps = halvings(length);
  Func place(operands.name + "_place");
  const RDom r({{0, steps}}, "r");
  place(number) = 0;
  const Expr next = place(number) + (Expr(1) << (steps - 1 - r));
  const Expr before = read(operands, 0, {clamp(next - 1, 0, index(length - 1))});
  place(number) = select(next <= index(length) && before <= number, next, place(number));

  Expr value;
  Size below = element_count(Shape(shape));
  for (std::size_t d = 0; d < shape.size(); ++d) {
    below = exact_quotient(below, shape[d]).value_or(Size(0));
    Expr along = divided(place(number), below);
    if (d > 0) along = along % index(shape[d]);
    value = d == 0 ? along : select(vars[0] == static_cast<int>(d), along, value);
  }
  return {output(operands, vars, value)};
}

std::vector<Func> unique(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const bool is_sorted = operands.attributes.get<std::int64_t>("sorted") != 0;
  const Var i("i"), j("j");
  const auto is_above = [](const Expr& a, const Expr& b) {
    return a.type().is_float() ? a > b || (is_nan(a) && !is_nan(b)) : a > b;
  };
  /// -1, 0 or 1. NaNs are equal to each other, and above all numbers.
  const auto compared = [&](const Expr& a, const Expr& b, const Expr& element) {
    Expr p = read(operands, 0, {a, element}), q = read(operands, 0, {b, element});
    if (p.type().is_bool()) p = cast(UInt(8), p), q = cast(UInt(8), q);
    return cast(Int(32), is_above(p, q)) - cast(Int(32), is_above(q, p));
  };
  Func order(operands.name + "_order");
  if (x[1] == Size(1)) {
    order(i, j) = compared(i, j, 0);
  } else {
    const RDom e({{0, index(x[1])}}, "e");
    order(i, j) = 0;
    order(i, j) = select(order(i, j) != 0, order(i, j), compared(i, j, e));
  }
  Func first(operands.name + "_first"), rank(operands.name + "_rank");
  const RDom before({{0, index(x[0])}}, "before"), r({{0, index(x[0])}}, "r");
  first(i) = index(x[0]);
  first(i) = min(first(i), select(order(before, i) == 0, before, index(x[0])));
  rank(i) = 0;
  rank(i) = rank(i) + cast(Int(32), first(r) == r && (is_sorted ? order(r, i) < 0 : first(r) < first(i)));
  const std::vector<Var> vars = index_vars(operands.output().shape);
  return {output(operands, vars, rank(vars[0]))};
}

}  // namespace tensordsl::ops::definitions
