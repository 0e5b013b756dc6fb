// Several values at once: what a Func may hold in each element.
#pragma once

#include <initializer_list>
#include <vector>

#include "tensordsl/expr.h"

namespace tensordsl {

class FuncRef;

/// The values of an element of a Func that computes several together, as argmax does: where, and how large.
/// `f(x) = Tuple(a, b)`, or `f(x) = {a, b}`, defines one, `f(x)[0]` reads a component. Each component has a
/// type of its own and is a tensor of its own in memory; an update computes all of them before it stores one.
class Tuple {
 public:
  /// Throws DefinitionError if there are none, or one is undefined.
  explicit Tuple(std::vector<Expr> values);
  /// {a, b, ...}: the same.
  Tuple(std::initializer_list<Expr> values) : Tuple(std::vector<Expr>(values)) {}
  /// Tuple(a, b, ...): the same, of two values or more.
  template <typename... Rest>
  Tuple(const Expr& first, const Expr& second, const Rest&... rest)
      : Tuple(std::vector<Expr>{first, second, Expr(rest)...}) {}
  /// All components of an element.
  Tuple(const FuncRef& element);  // NOLINT: an element of a Func reads as its values

  /// Throws DefinitionError if there is none of that number.
  const Expr& operator[](int index) const;
  int size() const { return static_cast<int>(values_.size()); }   ///< number of components, 1 or more
  const std::vector<Expr>& as_vector() const { return values_; }  ///< the components, in order

 private:
  std::vector<Expr> values_;
};

/// `condition ? if_true : if_false` of each component. Throws DefinitionError if their numbers differ.
Tuple select(const Expr& condition, const Tuple& if_true, const Tuple& if_false);

}  // namespace tensordsl
