// Expressions: immutable values with structural identity.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tensordsl/type.h"

namespace tensordsl {

namespace ir {
struct ExprNode;
}

/// A handle to an immutable expression. Copying is cheap; a default-constructed Expr is undefined.
class Expr {
 public:
  Expr() = default;
  Expr(int value);           // NOLINT: constants read as themselves in definitions
  Expr(std::int64_t value);  // NOLINT
  Expr(float value);         // NOLINT
  Expr(double value);        // NOLINT: an f32 constant
  explicit Expr(std::shared_ptr<const ir::ExprNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_ != nullptr; }
  Type type() const;
  const ir::ExprNode& operator*() const { return *node_; }
  const ir::ExprNode* operator->() const { return node_.get(); }
  const ir::ExprNode* get() const { return node_.get(); }
  long use_count() const { return node_.use_count(); }

 private:
  std::shared_ptr<const ir::ExprNode> node_;
};

// Arithmetic. Operands meet at the wider type: float before integer, more bits before fewer; f16 promotes to
// f32; a constant takes the other operand's type. Integer `/` and `%` floor (so (-1) / 4 == -1 and
// (-1) % 4 == 3); x / 0 and x % 0 are 0. i8 and u8 arithmetic wraps; as in C++, that of i32 and i64 must not
// overflow: a kernel may then give any value. Of a number and a NaN, min and max give the number.
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
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
/// min(max(value, low), high)
Expr clamp(Expr value, Expr low, Expr high);
/// `condition ? if_true : if_false`; only the chosen side is evaluated, so a load on the other may be out of
/// range.
Expr select(Expr condition, Expr if_true, Expr if_false);
/// Converts; float to integer truncates toward zero and saturates, integer narrowing wraps, f16 rounds to
/// nearest even.
Expr cast(Type type, Expr value);

// Math functions on f32 (f16 promotes; integers convert).
Expr exp(Expr x);
Expr log(Expr x);
Expr sqrt(Expr x);
Expr rsqrt(Expr x);
Expr tanh(Expr x);
Expr erf(Expr x);
Expr sin(Expr x);
Expr cos(Expr x);
Expr floor(Expr x);
Expr ceil(Expr x);
Expr round(Expr x);  ///< half to even
Expr pow(Expr x, Expr y);
Expr abs(Expr x);  ///< any numeric type

/// Structural equality: same operators, types, names and constants.
bool same(const Expr& a, const Expr& b);

/// Prints the expression in the IR's text form, for example "out[y*56 + x]:f32 + 1.0", for reading: what is
/// past 10,000 characters is left out.
std::string to_string(const Expr& expr);

}  // namespace tensordsl
