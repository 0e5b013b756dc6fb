// Integer sums in normal form: coefficient*atom + ... + constant.
//
// An atom is anything that is not a sum or a multiple: a variable, a load, a min, a quotient, or a product of
// several of them. Coefficients wrap at 64 bits, which is right modulo the width of every integer type.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

struct Term {
  Expr atom;
  std::int64_t coefficient = 0;
};

/// A sum of scalars (or, as LaneForm::rest, of vectors).
class LinearForm {
 public:
  LinearForm() = default;
  explicit LinearForm(std::int64_t value) : constant(value) {}
  /// Splits a scalar into terms. Sub-expressions are not simplified, so they should be simplified already.
  explicit LinearForm(const Expr& expr) { add(expr); }

  /// Returns the terms, without repeated atoms or coefficients of 0. Their order is the same in every run but
  /// has no meaning; to_expr has its own.
  const std::vector<Term>& terms() const { return terms_; }
  bool is_constant() const { return terms_.empty(); }
  bool is_zero() const { return terms_.empty() && constant == 0; }
  std::int64_t coefficient_of(const Expr& atom) const;
  /// Returns the greatest common divisor of the coefficients, without the constant; 0 if there are none.
  std::int64_t common_divisor() const;

  void add(const Expr& expr, std::int64_t factor = 1);
  void add(const LinearForm& other, std::int64_t factor = 1);
  void add_atom(const Expr& atom, std::int64_t coefficient);
  void scale(std::int64_t factor);

  std::int64_t constant = 0;

 private:
  std::vector<Term> terms_;
};

LinearForm operator+(LinearForm a, const LinearForm& b);
LinearForm operator-(LinearForm a, const LinearForm& b);
LinearForm operator*(LinearForm a, std::int64_t factor);
/// Divides every coefficient and the constant, which must all be multiples of `divisor`.
LinearForm exact_quotient(const LinearForm& form, std::int64_t divisor);

/// A vector sum: lane i is base + i*stride + rest[i]. A scalar has only a base.
struct LaneForm {
  LinearForm base, stride;
  LinearForm rest;  // sum of vector atoms

  LaneForm() = default;
  explicit LaneForm(const Expr& expr) { add(expr); }
  bool is_scalar() const { return stride.is_zero() && rest.is_zero(); }  // the same in every lane
  bool is_constant() const { return is_scalar() && base.is_constant(); }
  void add(const Expr& expr, std::int64_t factor = 1);
  void scale(std::int64_t factor);
};

LaneForm operator-(LaneForm a, const LaneForm& b);

/// True if every number in the sum, and its negative, is a value of `type`.
bool fits(const LinearForm& form, Type type);
bool fits(const LaneForm& form, Type type);

/// Returns the sum as an expression: large coefficients first, so y*56 + x; subtracted terms last; then the
/// constant. Nothing if a number in it does not fit.
std::optional<Expr> to_expr(const LinearForm& form, Type type);
std::optional<Expr> to_expr(const LaneForm& form, Type type);

/// Returns the factors of a product that is not a sum, left to right; the expression itself if it is not a
/// product.
std::vector<Expr> factors_of(const Expr& atom);

}  // namespace tensordsl::ir
