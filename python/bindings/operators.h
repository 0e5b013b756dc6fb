// The operators of everything that reads as an expression.
#pragma once

#include <string>

#include "python/bindings/bindings.h"

namespace tensordsl::python {

/// Returns a // b: for floats the floor of a / b.
Expr floor_divided(const Expr& a, const Expr& b);
/// Returns a & b, which for bools is a && b, as | is ||.
Expr bitwise_and(const Expr& a, const Expr& b);
Expr bitwise_or(const Expr& a, const Expr& b);
Expr bitwise_xor(const Expr& a, const Expr& b);
Expr inverted(const Expr& a);

/// Applies NumPy's operators, as on a NumPy scalar and an expression, by those of expressions. Throws
/// TypeError that names the language's functions on NumPy's other functions.
nb::object apply_numpy_function(nb::handle self, nb::handle ufunc, const std::string& method,
                                const nb::args& inputs, const nb::kwargs& named);

template <typename Class>
void bind_operators(Class& cls) {
  const auto both = [&](const char* name, const char* reflected, auto op) {
    cls.def(
        name, [op](nb::handle self, ExprLike other) { return op(expr_of(self), expr_of(other)); },
        nb::is_operator());
    cls.def(
        reflected, [op](nb::handle self, ExprLike other) { return op(expr_of(other), expr_of(self)); },
        nb::is_operator());
  };
  both("__add__", "__radd__", [](const Expr& a, const Expr& b) { return a + b; });
  both("__sub__", "__rsub__", [](const Expr& a, const Expr& b) { return a - b; });
  both("__mul__", "__rmul__", [](const Expr& a, const Expr& b) { return a * b; });
  both("__truediv__", "__rtruediv__", [](const Expr& a, const Expr& b) { return a / b; });
  both("__floordiv__", "__rfloordiv__", floor_divided);
  both("__mod__", "__rmod__", [](const Expr& a, const Expr& b) { return a % b; });
  both("__pow__", "__rpow__", [](const Expr& a, const Expr& b) { return pow(a, b); });
  both("__and__", "__rand__", bitwise_and);
  both("__or__", "__ror__", bitwise_or);
  both("__xor__", "__rxor__", bitwise_xor);
  both("__lshift__", "__rlshift__", [](const Expr& a, const Expr& b) { return a << b; });
  both("__rshift__", "__rrshift__", [](const Expr& a, const Expr& b) { return a >> b; });

  const auto compared = [&](const char* name, auto op) {
    cls.def(
        name, [op](nb::handle self, ExprLike other) { return op(expr_of(self), expr_of(other)); },
        nb::is_operator());
  };
  compared("__lt__", [](const Expr& a, const Expr& b) { return a < b; });
  compared("__le__", [](const Expr& a, const Expr& b) { return a <= b; });
  compared("__gt__", [](const Expr& a, const Expr& b) { return a > b; });
  compared("__ge__", [](const Expr& a, const Expr& b) { return a >= b; });
  const auto equal = [](nb::handle self, ExprLike other) { return expr_of(self) == expr_of(other); };
  cls.def("__eq__", equal, nb::is_operator(), nb::sig("def __eq__(self, other: ExprLike, /) -> Expr"));
  const auto unequal = [](nb::handle self, ExprLike other) { return expr_of(self) != expr_of(other); };
  cls.def("__ne__", unequal, nb::is_operator(), nb::sig("def __ne__(self, other: ExprLike, /) -> Expr"));
  cls.def("__hash__", [](nb::handle self) { return reinterpret_cast<std::intptr_t>(self.ptr()) >> 4; });

  cls.def("__neg__", [](nb::handle self) { return -expr_of(self); });
  cls.def("__pos__", [](nb::handle self) { return expr_of(self); });
  cls.def("__abs__", [](nb::handle self) { return abs(expr_of(self)); });
  cls.def("__invert__", [](nb::handle self) { return inverted(expr_of(self)); });
  cls.def("__bool__", [](nb::handle) -> bool {
    throw nb::type_error(
        "the value of an expression is computed when kernels run and is not known to Python; use "
        "select(condition, a, b) instead of if, and & | ~ instead of and, or, not");
  });
  cls.def("__array_ufunc__", apply_numpy_function, nb::arg("ufunc"), nb::arg("method"), nb::arg("inputs"),
          nb::arg("named"),
          nb::sig("def __array_ufunc__(self, ufunc: numpy.ufunc, method: str, *inputs: typing.Any, **named: "
                  "typing.Any) -> Expr"));
}

}  // namespace tensordsl::python
