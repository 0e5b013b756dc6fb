// A number that follows from the extents of a model's tensors: an extent itself, an offset, a number of
// elements.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/nodes/linear_form.h"
#include "tensordsl/expr.h"

namespace tensordsl::ops {

/// A number, or an integer polynomial over the model's symbolic dimensions and over counts, data-dependent
/// sizes that only a run knows. It is simplified as if every dimension were at least 1. Where that would be
/// wrong for 0, the assumption is kept as a condition: min(n, 1) becomes 1 with the condition n - 1 >= 0.
/// Sizes that are computed from it inherit its conditions.
class Size {
 public:
  Size() = default;
  template <std::integral T>
  Size(T value) : form_(static_cast<std::int64_t>(value)) {}  // NOLINT: numbers read as themselves
  /// The symbolic dimension `name`, a Param of the Program.
  static Size symbol(const std::string& name);
  /// True if the symbol is a count, a data-dependent size: only names of counts end in ".count".
  static bool is_count(std::string_view symbol) { return symbol.ends_with(".count"); }

  bool is_known() const { return form_.is_constant(); }
  /// The number. Throws ModelError, which names the symbols and how to fix them, if it is not known.
  std::int64_t value() const;
  /// Returns it as an i32 expression of constants and Params, like all indices. Throws ShapeError if a number
  /// in it does not fit i32.
  Expr expr() const;
  /// True if this size is at least `value` for all dimensions of at least 1.
  bool is_at_least(std::int64_t value) const;
  /// True if this size is at least `value` for all dimensions, 0 included.
  bool is_at_least_if_empty(std::int64_t value) const;
  /// Returns the sizes that must be 0 or more for this one to be right. One of them may be negative only
  /// where a dimension is 0.
  std::vector<Size> conditions() const;
  Size without_conditions() const { return Size(form_); }
  /// True if a count, a data-dependent size, is in it.
  bool has_count() const;
  /// The names of the dimensions in it, in alphabetical order.
  std::vector<std::string> symbols() const;

  /// Returns it with each quotient, extremum, symbol or product of such replaced by `size_of` of it; those
  /// for which that returns nullopt stay.
  Size with_atoms(const std::function<std::optional<Size>(const Expr&)>& size_of) const;

  /// Equal for all dimensions; two that may only happen to be equal are not.
  friend bool operator==(const Size& a, const Size& b);

  // Throw ShapeError if a known number leaves 64 bits.
  friend Size operator+(const Size& a, const Size& b);
  friend Size operator-(const Size& a, const Size& b);
  friend Size operator*(const Size& a, const Size& b);
  Size& operator+=(const Size& b) { return *this = *this + b; }
  Size& operator-=(const Size& b) { return *this = *this - b; }
  Size& operator*=(const Size& b) { return *this = *this * b; }
  /// a / b where b divides a for all dimensions; else nothing.
  friend std::optional<Size> exact_quotient(const Size& a, const Size& b);
  /// The floor of a / b, and 0 for a b of 0.
  friend Size quotient(const Size& a, const Size& b);
  friend Size min(const Size& a, const Size& b);
  friend Size max(const Size& a, const Size& b);

 private:
  explicit Size(ir::LinearForm form) : form_(std::move(form)) {}
  /// Adds the conditions of another one.
  Size& take_conditions(const Size& other);
  /// Returns `chosen`, with its condition, if `apart` is 0 or more for all dimensions; else nullopt.
  static std::optional<Size> chosen_if(const Size& apart, const Size& chosen);
  /// Returns n - max(n - 8, 0) as min(8, n): a sum with an extremum as an extremum of sums, if one of these
  /// has fewer terms than the sum without the extremum.
  static Size shortest(const ir::LinearForm& form);
  /// Returns the sum as text, however large its numbers are.
  std::string text_of_large() const;
  /// Returns max(n, 256)/256 as max(n/256, 1): the quotient of a sum with an extremum of a number by a known
  /// b > 0, which is never smaller for more; nothing for another a or b.
  static std::optional<Size> quotient_of_extremum(const Size& a, const Size& b);
  /// Returns the quotient with divisible terms divided: (4*m - n + 4)/4 as m + 1 - (n + 3)/4. Subtracted
  /// terms become a subtracted quotient. Nullopt if that changes nothing.
  static std::optional<Size> quotient_in_parts(const Size& a, const Size& b);

  ir::LinearForm form_;
  std::vector<ir::LinearForm> conditions_;
};

/// Explains why a size is not known, and the remedy: "fix its dimensions, as in --dim batch=1".
std::string how_to_know(const Size& size);

/// True if the relation holds for all dimensions, false if it holds for none; nullopt if that is not known.
std::optional<bool> is_less(const Size& a, const Size& b);
std::optional<bool> is_equal(const Size& a, const Size& b);

/// "3", "batch", "12*batch*sequence + 1".
std::string to_string(const Size& size);

using Ints = std::vector<std::int64_t>;
using Sizes = std::vector<Size>;

/// "[1,3,224,224]"
std::string to_string(const Sizes& sizes);
std::string to_string(const Ints& numbers);

bool is_known(const Sizes& sizes);
/// Returns the values of all sizes. Throws ModelError like Size::value.
Ints known(const Sizes& sizes);

}  // namespace tensordsl::ops
