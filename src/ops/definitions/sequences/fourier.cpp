#include <limits>
#include <numbers>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// The cosine and the sine of 2 pi * a * b / length.
struct Rotation {
  Expr cosine, sine;
};

/// The product is taken modulo the length before it is scaled, and both are sines of angles in
/// [-pi / 2, pi / 2]: so they are exact at whole, half and quarter turns, where terms cancel.
/// Needs: 0 <= a, b < length.
Rotation rotation(Type type, const Expr& a, const Expr& b, const Size& length) {
  constexpr std::int64_t kFits = 46341;  // the product of smaller numbers is an i32
  static_assert((kFits - 1) * (kFits - 1) <= std::numeric_limits<std::int32_t>::max());
  const Expr whole = index(length);
  const bool fits = length.is_known() && length.value() <= kFits;
  const Expr turns =
      fits ? a * b % whole : cast(Int(32), cast(Int(64), a) * cast(Int(64), b) % number(Int(64), length));
  const Expr half_turns = 2 * select(turns > index(quotient(length, 2)), turns - whole, turns);
  const auto sine = [&](const Expr& numerator, double of_pi) {
    return sin(cast(type, numerator) * (constant(type, of_pi * std::numbers::pi) / number(type, length)));
  };
  const Expr near = select(2 * half_turns > whole, whole - half_turns,
                           select(2 * half_turns < -whole, -whole - half_turns, half_turns));
  return {sine(whole - 2 * abs(half_turns), 0.5), sine(near, 1)};
}

/// A number of one part or two.
struct Complex {
  Expr real, imaginary;  ///< undefined: it is real
};

/// Returns the element of input 0 at these indices of all dimensions but the last.
Complex complex_element(const OperatorOperands& operands, std::vector<Expr> at) {
  const bool has_two_parts = operands.infos[0].shape.back() == Size(2);
  at.emplace_back(0);
  Complex element{accumulated(read(operands, 0, at)), {}};
  at.back() = 1;
  if (has_two_parts) element.imaginary = accumulated(read(operands, 0, at));
  return element;
}

/// Part `part`, 0 or 1, of x * e^(i * angle), or of x * e^(-i * angle).
Expr rotated(const Complex& x, const Rotation& by, const Expr& part, bool is_forward) {
  const Expr sine = is_forward ? -by.sine : by.sine;
  if (!x.imaginary.defined()) return x.real * select(part == 0, by.cosine, sine);
  return select(part == 0, x.real * by.cosine - x.imaginary * sine, x.imaginary * by.cosine + x.real * sine);
}

}  // namespace

std::vector<Func> dft(const OperatorOperands& operands) {
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const bool is_inverse = operands.attributes.get<std::int64_t>("inverse") != 0;
  const bool gives_real = is_inverse && operands.attributes.get<std::int64_t>("onesided") != 0;
  const Size length = operands.attributes.sizes("dft_length").at(0);
  // Elements beyond the length are left out; missing ones are zero.
  const Size terms = min(operands.infos[0].shape[axis], gives_real ? quotient(length, 2) + 1 : length);
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const RDom r({{0, index(terms)}}, "r");
  std::vector<Expr> at(vars.begin(), vars.end() - 1);
  at[axis] = r;
  const Complex x = complex_element(operands, at);
  Func sum(operands.name + "_sum");
  const Rotation by = rotation(x.real.type(), vars[axis], r, length);
  Expr term = rotated(x, by, vars.back(), !is_inverse);
  if (gives_real) {
    // The other half of the spectrum is the conjugate of this one.
    const Expr has_no_other = Expr(r) == 0 || 2 * Expr(r) == index(length);
    term = select(has_no_other, term, term * constant(term.type(), 2));
  }
  sum(vars) += term;
  return {output(operands, vars, is_inverse ? sum(vars) / number(sum.type(), length) : sum(vars))};
}

std::vector<Func> stft(const OperatorOperands& operands) {
  const Size length = operands.attributes.sizes("frame_length").at(0);
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const RDom r({{0, index(length)}}, "r");
  const Expr place = scaled(vars[1], operands.attributes.sizes("frame_step").at(0)) + r;
  const Complex x = complex_element(operands, {vars[0], place});
  Expr term = rotated(x, rotation(x.real.type(), vars[2], r, length), vars[3], true);
  if (operands.has_input(1)) term = term * accumulated(read(operands, 1, {r}));
  Func sum(operands.name + "_sum");
  sum(vars) += term;
  return {output(operands, vars, sum(vars))};
}

}  // namespace tensordsl::ops::definitions
