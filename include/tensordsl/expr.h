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
  /// Undefined: as an operand or a value it makes what takes it throw DefinitionError.
  Expr() = default;
  /// A constant of the type that the literal has in C++, which another operand's type replaces if it can hold
  /// the value. A double is an f32 by itself, as 0.5 mostly stands for 0.5f: say cast(Float(64), 0.1) for an
  /// f64, which is exact.
  template <typename T>
  requires(std::is_arithmetic_v<T>) Expr(T value)  // NOLINT: constants read as themselves in definitions
      : Expr(std::is_floating_point_v<T> ? real_constant(static_cast<double>(value))
                                         : integer_constant(type_of<T>(), static_cast<std::int64_t>(value))) {
  }
  /// An expression of the IR; null makes an undefined one.
  explicit Expr(std::shared_ptr<const ir::ExprNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_ != nullptr; }  ///< whether there is an expression
  Type type() const;                                 ///< of its value; i32 of an undefined one
  /// The node of the IR, for passes; the Expr must be defined.
  const ir::ExprNode& operator*() const { return *node_; }
  /// The same.
  const ir::ExprNode* operator->() const { return node_.get(); }
  const ir::ExprNode* get() const { return node_.get(); }  ///< the same; null if undefined
  long use_count() const { return node_.use_count(); }     ///< how many Exprs share the node

 private:
  static Expr integer_constant(Type type, std::int64_t value);
  static Expr real_constant(double value);

  std::shared_ptr<const ir::ExprNode> node_;
};

/// a + b. Operands of this and the operators below meet at the wider type: float before integer, more bits
/// before fewer, signed before unsigned of as many; f16 promotes to f32; a constant takes the other operand's
/// type. Arithmetic on 8 and 16 bits and on unsigned integers wraps; as in C++, that of i32 and i64 must not
/// overflow: a kernel may then give any value. Throws DefinitionError on an undefined operand or an operator
/// its types do not have; a bool has no arithmetic.
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);   ///< a - b
Expr operator*(Expr a, Expr b);   ///< a * b
Expr operator/(Expr a, Expr b);   ///< of integers it floors: (-1) / 4 == -1; x / 0 is 0
Expr operator%(Expr a, Expr b);   ///< of integers only; it floors: (-1) % 4 == 3; x % 0 is 0
Expr operator-(Expr a);           ///< of a float with the sign changed, also of 0
Expr operator<(Expr a, Expr b);   ///< as a Bool; false if one is a NaN
Expr operator<=(Expr a, Expr b);  ///< the same
Expr operator>(Expr a, Expr b);   ///< the same
Expr operator>=(Expr a, Expr b);  ///< the same
Expr operator==(Expr a, Expr b);  ///< as a Bool, at run time; for whether two Exprs are the same see same()
Expr operator!=(Expr a, Expr b);  ///< true if one is a NaN
Expr operator&&(Expr a, Expr b);  ///< of Bools
Expr operator||(Expr a, Expr b);  ///< of Bools
Expr operator!(Expr a);           ///< of a Bool

/// Bits of integers, of one type after promotion as above. Throws DefinitionError on a float or a Bool.
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);  ///< the same
Expr operator^(Expr a, Expr b);  ///< exclusive or
Expr operator~(Expr a);          ///< all bits changed
/// Of the type of `a`. The distance is taken modulo the bits of that type; what does not fit is shifted out.
Expr operator<<(Expr a, Expr distance);
Expr operator>>(Expr a, Expr distance);  ///< the same; of a signed integer it repeats the sign
Expr popcount(Expr x);                   ///< how many bits are 1
Expr count_leading_zeros(Expr x);        ///< from the highest bit on; all of them if x is 0

Expr min(Expr a, Expr b);  ///< of a number and a NaN the number
Expr max(Expr a, Expr b);  ///< of a number and a NaN the number
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
/// cast<float>(x) is cast(Float(32), x).
template <typename T>
Expr cast(Expr value) {
  return cast(type_of<T>(), std::move(value));
}
/// Converts; an integer out of range becomes the nearest one that the type has.
Expr saturating_cast(Type type, Expr value);
/// saturating_cast<std::uint8_t>(x) is saturating_cast(UInt(8), x).
template <typename T>
Expr saturating_cast(Expr value) {
  return saturating_cast(type_of<T>(), std::move(value));
}

/// The number that has the bits of `value`, of another type of as many bits. Throws DefinitionError on a
/// type of more or fewer bits and on bools.
Expr reinterpret(Type type, Expr value);
/// reinterpret<std::int32_t>(x) is reinterpret(Int(32), x).
template <typename T>
Expr reinterpret(Expr value) {
  return reinterpret(type_of<T>(), std::move(value));
}

/// e to the power of x. This and the functions below are on f32, and on f64 for an f64 (f16 promotes;
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
Expr sin(Expr x);                  ///< of radians
Expr cos(Expr x);                  ///< of radians
Expr tan(Expr x);                  ///< of radians
Expr asin(Expr x);                 ///< in [-pi/2, pi/2]
Expr acos(Expr x);                 ///< in [0, pi]
Expr atan(Expr x);                 ///< in [-pi/2, pi/2]
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
Expr abs(Expr x);                  ///< any numeric type
/// |a - b|, of integers as an unsigned integer, which holds every difference.
Expr abs_diff(Expr a, Expr b);
inline Expr absd(Expr a, Expr b) { return abs_diff(std::move(a), std::move(b)); }  ///< Halide's name
Expr is_nan(Expr x);     ///< as a Bool; false of an integer
Expr is_inf(Expr x);     ///< of either sign
Expr is_finite(Expr x);  ///< neither infinite nor a NaN; true of an integer

/// Structural equality: same operators, types, names and constants.
bool same(const Expr& a, const Expr& b);

/// Prints the expression in the IR's text form, for example "out[y*56 + x]:f32 + 1.0", for reading: what is
/// past 10,000 characters is left out.
std::string to_string(const Expr& expr);

}  // namespace tensordsl
