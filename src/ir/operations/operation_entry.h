// Helpers of the tables of operations and intrinsics, whose entries read []<Number T>(T a, T b) -> T { ... }
// for each type.
#pragma once

#include "ir/operations/operations.h"

namespace tensordsl::ir {

/// Returns the operation on operands of a type; null if it does not take that type.
using OperationOn = Operation (*)(Type type);

/// Operands are all of one type, and the result is of the same or a bool.
template <typename F, typename Element>
Scalar apply(Scalar a, Scalar b, Scalar c) {
  using T = Computed<Element>;
  const T x = value_of<Element>(a), y = value_of<Element>(b), z = value_of<Element>(c);
  const auto result = [&] {
    if constexpr (std::invocable<F, T>) {
      return F{}(x);
    } else if constexpr (std::invocable<F, T, T>) {
      return F{}(x, y);
    } else {
      return F{}(x, y, z);
    }
  }();
  if constexpr (std::same_as<decltype(result), const bool>) {
    return scalar_of<bool>(result);
  } else {
    return scalar_of<Element>(result);
  }
}

/// `f` for every type that it takes.
template <typename F>
constexpr OperationOn on_elements(F) {
  return [](Type type) {
    return with_element(type, []<typename Element>() -> Operation {
      using T = Computed<Element>;
      constexpr bool kTakes = std::invocable<F, T> || std::invocable<F, T, T> || std::invocable<F, T, T, T>;
      if constexpr (kTakes) {
        return &apply<F, Element>;
      } else {
        return nullptr;
      }
    });
  };
}

}  // namespace tensordsl::ir
