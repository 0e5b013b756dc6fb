// Several values in each element of a Func.
#pragma once

#include <initializer_list>
#include <vector>

#include "tensordsl/expr.h"

namespace tensordsl {

class FuncRef;

/// The values of an element of a Func that computes several together, as argmax does: an index and a value.
/// `f(x) = Tuple(a, b)`, or `f(x) = {a, b}`, defines one, `f(x)[0]` reads a component. Each component has a
/// type of its own and is a tensor of its own in memory; an update computes all of them before it stores one.
class Tuple {
 public:
  /// Makes a tuple. Throws DefinitionError if there are no values, or one is undefined.
  explicit Tuple(std::vector<Expr> values);
  /// Makes a tuple {a, b, ...}.
  Tuple(std::initializer_list<Expr> values) : Tuple(std::vector<Expr>(values)) {}
  /// Makes a tuple of two values or more: Tuple(a, b, ...).
  template <typename... Rest>
  Tuple(const Expr& first, const Expr& second, const Rest&... rest)
      : Tuple(std::vector<Expr>{first, second, Expr(rest)...}) {}
  /// Makes the tuple of all components of an element.
  Tuple(const FuncRef& element);  // NOLINT: an element of a Func reads as its values

  /// Returns the component of that number. Throws DefinitionError if there is none.
  const Expr& operator[](int index) const;
  int size() const { return static_cast<int>(values_.size()); }   ///< number of components, 1 or more
  const std::vector<Expr>& as_vector() const { return values_; }  ///< the components, in order

 private:
  std::vector<Expr> values_;
};

/// Selects each component: `condition ? if_true : if_false`. Throws DefinitionError if their numbers differ.
Tuple select(const Expr& condition, const Tuple& if_true, const Tuple& if_false);

}  // namespace tensordsl
