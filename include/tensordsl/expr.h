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
  /// Makes an undefined Expr; using it as an operand or a value throws DefinitionError.
  Expr() = default;
  /// Makes a constant of the literal's C++ type; the other operand's type replaces it if that can hold the
  /// value. A double is an f32 by default, as 0.5 mostly stands for 0.5f: write cast(Float(64), 0.1) for an
  /// f64, which is exact.
  template <typename T>
  requires(std::is_arithmetic_v<T>) Expr(T value)  // NOLINT: constants read as themselves in definitions
      : Expr(std::is_floating_point_v<T> ? real_constant(static_cast<double>(value))
                                         : integer_constant(type_of<T>(), static_cast<std::int64_t>(value))) {
  }
  /// Makes an expression from a node of the IR; null makes an undefined one.
  explicit Expr(std::shared_ptr<const ir::ExprNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_ != nullptr; }  ///< true if there is an expression
  Type type() const;                                 ///< type of its value; i32 if it is undefined
  /// Returns the node of the IR, for passes; the Expr must be defined.
  const ir::ExprNode& operator*() const { return *node_; }
  /// Returns the node of the IR, for passes; null if the Expr is undefined.
  const ir::ExprNode* operator->() const { return node_.get(); }
  const ir::ExprNode* get() const { return node_.get(); }  ///< node of the IR; null if undefined
  long use_count() const { return node_.use_count(); }     ///< number of Exprs that share the node

 private:
  static Expr integer_constant(Type type, std::int64_t value);
  static Expr real_constant(double value);

  std::shared_ptr<const ir::ExprNode> node_;
};

/// a + b. For this and the operators below, operands convert to the wider type: float before integer, more
/// bits before fewer, signed before unsigned of as many; f16 promotes to f32; a constant takes the other
/// operand's type. Arithmetic on 8 and 16 bits and on unsigned integers wraps; as in C++, arithmetic on i32
/// and i64 must not overflow: a kernel may then give any value. Throws DefinitionError on an undefined
/// operand or an operator its types do not have; a bool has no arithmetic.
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);   ///< a - b
Expr operator*(Expr a, Expr b);   ///< a * b
Expr operator/(Expr a, Expr b);   ///< a / b; integers are floored: (-1) / 4 == -1; x / 0 is 0
Expr operator%(Expr a, Expr b);   ///< remainder of integers, floored: (-1) % 4 == 3; x % 0 is 0
Expr operator-(Expr a);           ///< the negation; for a float the sign is changed, also of 0
Expr operator<(Expr a, Expr b);   ///< a < b as a Bool; false if one is a NaN
Expr operator<=(Expr a, Expr b);  ///< a <= b as a Bool; false if one is a NaN
Expr operator>(Expr a, Expr b);   ///< a > b as a Bool; false if one is a NaN
Expr operator>=(Expr a, Expr b);  ///< a >= b as a Bool; false if one is a NaN
Expr operator==(Expr a, Expr b);  ///< a == b as a Bool, at run time; same() compares two Exprs themselves
Expr operator!=(Expr a, Expr b);  ///< a != b as a Bool; true if one is a NaN
Expr operator&&(Expr a, Expr b);  ///< a && b; both are Bools
Expr operator||(Expr a, Expr b);  ///< a || b; both are Bools
Expr operator!(Expr a);           ///< !a; a is a Bool

/// Bitwise and of integers of one type after promotion. Throws DefinitionError on a float or a Bool.
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);  ///< bitwise or, of integers as for &
Expr operator^(Expr a, Expr b);  ///< bitwise exclusive or, of integers as for &
Expr operator~(Expr a);          ///< bitwise complement
/// Shifts left; the result has the type of `a`. The distance is taken modulo the bits of that type; bits that
/// do not fit are lost.
Expr operator<<(Expr a, Expr distance);
Expr operator>>(Expr a, Expr distance);  ///< shifts right, with the distance as for <<; a signed integer
                                         ///< repeats its sign
Expr popcount(Expr x);                   ///< number of bits that are 1
Expr count_leading_zeros(Expr x);        ///< number of 0 bits from the highest on; all bits if x is 0

Expr min(Expr a, Expr b);  ///< the smaller one; of a number and a NaN the number
Expr max(Expr a, Expr b);  ///< the larger one; of a number and a NaN the number
/// Clamps to [low, high]: min(max(value, low), high).
Expr clamp(Expr value, Expr low, Expr high);
/// Returns `value`, which the author promises to be in [low, high] wherever it is computed, including
/// elements that only a bound() or a Tail::RoundUp computes. It replaces a clamp of an index that is read
/// from memory. Kernels do not check the promise, and read and write out of bounds if it is broken; the
/// interpreter checks it where the result depends on it (see Pipeline::interpret). Integers of one type after
/// promotion.
Expr unsafe_promise_clamped(Expr value, Expr low, Expr high);
/// Selects a value: `condition ? if_true : if_false`; only the chosen side is evaluated, so a load on the
/// other may be out of range.
Expr select(Expr condition, Expr if_true, Expr if_false);
/// Converts to `type`; float to integer truncates toward zero and saturates, integer narrowing wraps, floats
/// round to nearest even, f64 to f16 by way of f32.
Expr cast(Type type, Expr value);
/// cast<float>(x) is cast(Float(32), x).
template <typename T>
Expr cast(Expr value) {
  return cast(type_of<T>(), std::move(value));
}
/// Converts to `type`; an integer out of range becomes the nearest one that the type has.
Expr saturating_cast(Type type, Expr value);
/// saturating_cast<std::uint8_t>(x) is saturating_cast(UInt(8), x).
template <typename T>
Expr saturating_cast(Expr value) {
  return saturating_cast(type_of<T>(), std::move(value));
}

/// Reinterprets the bits of `value` as another type of the same width. Throws DefinitionError on a type of
/// more or fewer bits and on bools.
Expr reinterpret(Type type, Expr value);
/// reinterpret<std::int32_t>(x) is reinterpret(Int(32), x).
template <typename T>
Expr reinterpret(Expr value) {
  return reinterpret(type_of<T>(), std::move(value));
}

/// e to the power of x. This and the functions below compute in f32, and in f64 for an f64 (f16 promotes;
/// integers convert); outside the domain of a function they give a NaN. Throws DefinitionError on an
/// undefined operand.
Expr exp(Expr x);
Expr exp2(Expr x);                 ///< 2 to the power of x
Expr log(Expr x);                  ///< the natural logarithm
Expr log1p(Expr x);                ///< log(1 + x), also where x is so small that 1 + x is 1
Expr log2(Expr x);                 ///< the logarithm to base 2
Expr sqrt(Expr x);                 ///< the square root
Expr rsqrt(Expr x);                ///< 1 / sqrt(x)
Expr tanh(Expr x);                 ///< the hyperbolic tangent
Expr erf(Expr x);                  ///< the error function
Expr erfc(Expr x);                 ///< 1 - erf(x), also where erf(x) is nearly 1
Expr sin(Expr x);                  ///< the sine of x radians
Expr cos(Expr x);                  ///< the cosine of x radians
Expr tan(Expr x);                  ///< the tangent of x radians
Expr asin(Expr x);                 ///< the arcsine, in [-pi/2, pi/2]
Expr acos(Expr x);                 ///< the arccosine, in [0, pi]
Expr atan(Expr x);                 ///< the arctangent, in [-pi/2, pi/2]
Expr atan2(Expr y, Expr x);        ///< the angle of the point (x, y), in (-pi, pi]
Expr sinh(Expr x);                 ///< the hyperbolic sine
Expr cosh(Expr x);                 ///< the hyperbolic cosine
Expr asinh(Expr x);                ///< the inverse of sinh
Expr acosh(Expr x);                ///< the inverse of cosh, 0 or more
Expr atanh(Expr x);                ///< the inverse of tanh
Expr floor(Expr x);                ///< toward minus infinity; the type stays a float
Expr ceil(Expr x);                 ///< toward infinity
Expr trunc(Expr x);                ///< toward zero
Expr round(Expr x);                ///< half to even
Expr pow(Expr x, Expr y);          ///< x to the power of y
Expr fmod(Expr x, Expr y);         ///< x - trunc(x / y) * y, exact; it has the sign of x
Expr fma(Expr a, Expr b, Expr c);  ///< a*b + c, rounded once
Expr abs(Expr x);                  ///< absolute value of any numeric type
/// Returns |a - b|; for integers it is an unsigned integer, which holds every difference.
Expr abs_diff(Expr a, Expr b);
inline Expr absd(Expr a, Expr b) { return abs_diff(std::move(a), std::move(b)); }  ///< Halide's name
Expr is_nan(Expr x);     ///< true if x is a NaN, as a Bool; false for an integer
Expr is_inf(Expr x);     ///< true if x is an infinity of either sign
Expr is_finite(Expr x);  ///< true if x is neither infinite nor a NaN; true for an integer

/// True if two Exprs are structurally equal: same operators, types, names and constants.
bool same(const Expr& a, const Expr& b);

/// Returns the expression in the IR's text form, for example "out[y*56 + x]:f32 + 1.0", for users to read:
/// text past 10,000 characters is left out.
std::string to_string(const Expr& expr);

}  // namespace tensordsl
