// Expressions: immutable values with structural identity.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "tensordsl/type.h"

namespace tensordsl {

namespace ir {
struct ExprNode;
}

/// A handle to an immutable expression. Copying is cheap; a default-constructed Expr is undefined.
class Expr {
 public:
  Expr() = default;
  /// A constant of the type that the literal has in C++, which another operand's type replaces if it can hold
  /// the value. A double is an f32 by itself, as 0.5 mostly stands for 0.5f: say cast(Float(64), 0.1) for an
  /// f64, which is exact.
  template <typename T>
  requires(std::is_arithmetic_v<T>) Expr(T value)  // NOLINT: constants read as themselves in definitions
      : Expr(std::is_floating_point_v<T> ? real_constant(static_cast<double>(value))
                                         : integer_constant(type_of<T>(), static_cast<std::int64_t>(value))) {
  }
  explicit Expr(std::shared_ptr<const ir::ExprNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_ != nullptr; }
  Type type() const;
  const ir::ExprNode& operator*() const { return *node_; }
  const ir::ExprNode* operator->() const { return node_.get(); }
  const ir::ExprNode* get() const { return node_.get(); }
  long use_count() const { return node_.use_count(); }

 private:
  static Expr integer_constant(Type type, std::int64_t value);
  static Expr real_constant(double value);

  std::shared_ptr<const ir::ExprNode> node_;
};

// Arithmetic. Operands meet at the wider type: float before integer, more bits before fewer, signed before
// unsigned of as many; f16 promotes to f32; a constant takes the other operand's type. Integer `/` and `%`
// floor (so (-1) / 4 == -1 and (-1) % 4 == 3); x / 0 and x % 0 are 0. Arithmetic on 8 and 16 bits and on
// unsigned integers wraps; as in C++, that of i32 and i64 must not overflow: a kernel may then give any
// value. Of a number and a NaN, min and max give the number.
// Throws DefinitionError on an undefined operand or an operator its types do not have.
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator%(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator<(Expr a, Expr b);
Expr operator<=(Expr a, Expr b);
Expr operator>(Expr a, Expr b);
Expr operator>=(Expr a, Expr b);
Expr operator==(Expr a, Expr b);
Expr operator!=(Expr a, Expr b);
Expr operator&&(Expr a, Expr b);
Expr operator||(Expr a, Expr b);
Expr operator!(Expr a);

// Bits of integers, of one type after promotion as above. A shift takes its distance modulo the bits of the
// type; to the right, it repeats the sign of a signed integer. What does not fit is shifted out.
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);
Expr operator^(Expr a, Expr b);
Expr operator~(Expr a);
Expr operator<<(Expr a, Expr distance);
Expr operator>>(Expr a, Expr distance);
Expr popcount(Expr x);             ///< how many bits are 1
Expr count_leading_zeros(Expr x);  ///< from the highest bit on; all of them if x is 0

Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
/// min(max(value, low), high)
Expr clamp(Expr value, Expr low, Expr high);
/// `value`, which the author promises to be in [low, high] wherever it is computed, also where a bound() or a
/// Tail::RoundUp computes elements that nobody needs: for an index that is read from memory, instead of a
/// clamp. Kernels do not check it, and read and write out of bounds if it is broken; the interpreter checks
/// it where the result depends on it (see Pipeline::interpret). Integers of one type after promotion.
Expr unsafe_promise_clamped(Expr value, Expr low, Expr high);
/// `condition ? if_true : if_false`; only the chosen side is evaluated, so a load on the other may be out of
/// range.
Expr select(Expr condition, Expr if_true, Expr if_false);
/// Converts; float to integer truncates toward zero and saturates, integer narrowing wraps, floats round to
/// nearest even, f64 to f16 by way of f32.
Expr cast(Type type, Expr value);
template <typename T>
Expr cast(Expr value) {
  return cast(type_of<T>(), std::move(value));
}
/// Converts; an integer out of range becomes the nearest one that the type has.
Expr saturating_cast(Type type, Expr value);
template <typename T>
Expr saturating_cast(Expr value) {
  return saturating_cast(type_of<T>(), std::move(value));
}

// Math functions on f32, and on f64 for an f64 (f16 promotes; integers convert).
Expr exp(Expr x);
Expr exp2(Expr x);
Expr log(Expr x);
Expr log1p(Expr x);  ///< log(1 + x), also where x is so small that 1 + x is 1
Expr log2(Expr x);
Expr sqrt(Expr x);
Expr rsqrt(Expr x);
Expr tanh(Expr x);
Expr erf(Expr x);
Expr erfc(Expr x);  ///< 1 - erf(x), also where erf(x) is nearly 1
Expr sin(Expr x);
Expr cos(Expr x);
Expr tan(Expr x);
Expr asin(Expr x);
Expr acos(Expr x);
Expr atan(Expr x);
Expr atan2(Expr y, Expr x);  ///< the angle of the point (x, y), in (-pi, pi]
Expr sinh(Expr x);
Expr cosh(Expr x);
Expr asinh(Expr x);
Expr acosh(Expr x);
Expr atanh(Expr x);
Expr floor(Expr x);
Expr ceil(Expr x);
Expr trunc(Expr x);  ///< toward zero
Expr round(Expr x);  ///< half to even
Expr pow(Expr x, Expr y);
Expr fmod(Expr x, Expr y);         ///< x - trunc(x / y) * y, exact; it has the sign of x
Expr fma(Expr a, Expr b, Expr c);  ///< a*b + c, rounded once
Expr abs(Expr x);                  ///< any numeric type
/// |a - b|, of integers as an unsigned integer, which holds every difference.
Expr abs_diff(Expr a, Expr b);
inline Expr absd(Expr a, Expr b) { return abs_diff(std::move(a), std::move(b)); }  ///< Halide's name
Expr is_nan(Expr x);
Expr is_inf(Expr x);  ///< of either sign
Expr is_finite(Expr x);

/// Structural equality: same operators, types, names and constants.
bool same(const Expr& a, const Expr& b);

/// Prints the expression in the IR's text form, for example "out[y*56 + x]:f32 + 1.0", for reading: what is
/// past 10,000 characters is left out.
std::string to_string(const Expr& expr);

}  // namespace tensordsl
