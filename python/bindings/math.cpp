#include <nanobind/stl/string.h>

#include "python/bindings/functions.h"
#include "tensordsl/boundary.h"
#include "tensordsl/inline_reductions.h"
#include "tensordsl/tuple.h"

namespace tensordsl::python {
namespace {

using Unary = Expr (*)(Expr);
using Binary = Expr (*)(Expr, Expr);
using Reduction = Expr (*)(const Expr&, const std::string&);
using ReductionOver = Expr (*)(const RDom&, const Expr&, const std::string&);
using Search = Tuple (*)(const Expr&, const std::string&);
using SearchOver = Tuple (*)(const RDom&, const Expr&, const std::string&);

void bind_unary(nb::module_& module) {
  const auto add = [&](const char* name, Unary function, const char* text) {
    module.def(
        name, [function](ExprLike x) { return function(expr_of(x)); }, nb::arg("x"), text);
  };
  add("exp", exp, "e to the power of x.");
  add("exp2", exp2, "2 to the power of x.");
  add("log", log, "The natural logarithm.");
  add("log1p", log1p, "log(1 + x), exact even if 1 + x is 1.");
  add("log2", log2, "The logarithm to base 2.");
  add("sqrt", sqrt, "The square root.");
  add("rsqrt", rsqrt, "1 / sqrt(x).");
  add("tanh", tanh, "The hyperbolic tangent.");
  add("erf", erf, "The error function.");
  add("erfc", erfc, "1 - erf(x), exact even if erf(x) is nearly 1.");
  add("sin", sin, "The sine of x radians.");
  add("cos", cos, "The cosine of x radians.");
  add("tan", tan, "The tangent of x radians.");
  add("asin", asin, "The arcsine, in [-pi/2, pi/2].");
  add("acos", acos, "The arccosine, in [0, pi].");
  add("atan", atan, "The arctangent, in [-pi/2, pi/2].");
  add("sinh", sinh, "The hyperbolic sine.");
  add("cosh", cosh, "The hyperbolic cosine.");
  add("asinh", asinh, "The inverse of sinh.");
  add("acosh", acosh, "The inverse of cosh, 0 or more.");
  add("atanh", atanh, "The inverse of tanh.");
  add("floor", floor, "Rounds toward minus infinity; the type stays a float.");
  add("ceil", ceil, "Rounds toward infinity.");
  add("trunc", trunc, "Rounds toward zero.");
  add("round", round, "Rounds half to even.");
  add("abs", abs, "The absolute value, of any numeric type.");
  add("is_nan", is_nan, "True for a NaN, as a bool; false for an integer.");
  add("is_inf", is_inf, "True for an infinity of either sign.");
  add("is_finite", is_finite, "True if x is neither infinite nor a NaN.");
  add("popcount", popcount, "The number of bits that are 1.");
  add("count_leading_zeros", count_leading_zeros, "The number of 0 bits from the highest on.");
}

void bind_binary(nb::module_& module) {
  const auto add = [&](const char* name, Binary function, const char* text) {
    module.def(
        name, [function](ExprLike a, ExprLike b) { return function(expr_of(a), expr_of(b)); }, nb::arg("a"),
        nb::arg("b"), text);
  };
  add("min", min, "The smaller one; of a number and a NaN the number.");
  add("max", max, "The larger one; of a number and a NaN the number.");
  add("pow", pow, "a to the power of b.");
  add("atan2", atan2, "The angle of the point (b, a), in (-pi, pi].");
  add("fmod", fmod, "a - trunc(a / b) * b, exact; it has the sign of a.");
  add("abs_diff", abs_diff, "|a - b|; for integers an unsigned integer.");
}

void bind_others(nb::module_& module) {
  module.def(
      "clamp",
      [](ExprLike value, ExprLike low, ExprLike high) {
        return clamp(expr_of(value), expr_of(low), expr_of(high));
      },
      nb::arg("value"), nb::arg("low"), nb::arg("high"), "min(max(value, low), high).");
  module.def(
      "unsafe_promise_clamped",
      [](ExprLike value, ExprLike low, ExprLike high) {
        return unsafe_promise_clamped(expr_of(value), expr_of(low), expr_of(high));
      },
      nb::arg("value"), nb::arg("low"), nb::arg("high"),
      "`value`, which you promise to be in [low, high]: kernels do not check it.");
  module.def(
      "fma", [](ExprLike a, ExprLike b, ExprLike c) { return fma(expr_of(a), expr_of(b), expr_of(c)); },
      nb::arg("a"), nb::arg("b"), nb::arg("c"), "a*b + c, rounded once.");
  module.def(
      "cast", [](TypeLike type, ExprLike value) { return cast(type_of(type), expr_of(value)); },
      nb::arg("type"), nb::arg("value"),
      "Converts: a float to an integer truncates and saturates, narrower integers wrap.");
  module.def(
      "reinterpret", [](TypeLike type, ExprLike value) { return reinterpret(type_of(type), expr_of(value)); },
      nb::arg("type"), nb::arg("value"),
      "Reinterprets the bits of `value` as another type of the same width.");
  module.def(
      "saturating_cast",
      [](TypeLike type, ExprLike value) { return saturating_cast(type_of(type), expr_of(value)); },
      nb::arg("type"), nb::arg("value"),
      "Converts; a value out of range becomes the nearest one of the type.");
  module.def(
      "select",
      [](ExprLike condition, nb::handle if_true, nb::handle if_false) -> nb::object {
        if (!is_tuple(if_true) && !is_tuple(if_false))
          return nb::cast(select(expr_of(condition), expr_of(if_true), expr_of(if_false)));
        return list_of(select(expr_of(condition), tuple_of(if_true), tuple_of(if_false)));
      },
      nb::arg("condition"), nb::arg("if_true"), nb::arg("if_false"),
      nb::sig("def select(condition: ExprLike, if_true: ExprLike | tuple[ExprLike, ...], if_false: ExprLike "
              "| tuple[ExprLike, ...]) -> typing.Any"),
      "`if_true` if the condition holds, else `if_false`; for tuples, each component.");
  module.def(
      "same", [](ExprLike a, ExprLike b) { return same(expr_of(a), expr_of(b)); }, nb::arg("a"), nb::arg("b"),
      "True if two expressions are structurally equal: same operators, types, names and constants.");
}

void bind_reductions(nb::module_& module) {
  const auto add = [&](const char* name, Reduction function, ReductionOver over, const char* text) {
    module.def(
        name,
        [over](const RDom& domain, ExprLike value, const std::string& func) {
          return over(domain, expr_of(value), func);
        },
        nb::arg("domain"), nb::arg("value"), nb::arg("name") = "", text);
    module.def(
        name, [function](ExprLike value, const std::string& func) { return function(expr_of(value), func); },
        nb::arg("value"), nb::arg("name") = "", text);
  };
  add("sum", sum, sum, "The sum over the points of a reduction domain.");
  add("product", product, product, "The product over the points of a reduction domain.");
  add("maximum", maximum, maximum, "The largest value over the points of a reduction domain.");
  add("minimum", minimum, minimum, "The smallest value over the points of a reduction domain.");
  const auto add_search = [&](const char* name, Search function, SearchOver over, const char* text) {
    module.def(
        name,
        [over](const RDom& domain, ExprLike value, const std::string& func) {
          return list_of(over(domain, expr_of(value), func));
        },
        nb::arg("domain"), nb::arg("value"), nb::arg("name") = "",
        nb::sig((std::string("def ") + name +
                 "(domain: RDom, value: ExprLike, name: str = '') -> tuple[Expr, ...]")
                    .c_str()),
        text);
    module.def(
        name,
        [function](ExprLike value, const std::string& func) {
          return list_of(function(expr_of(value), func));
        },
        nb::arg("value"), nb::arg("name") = "",
        nb::sig(
            (std::string("def ") + name + "(value: ExprLike, name: str = '') -> tuple[Expr, ...]").c_str()),
        text);
  };
  add_search("argmax", argmax, argmax,
             "The point at which the value is largest, one i32 per axis, and the value.");
  add_search("argmin", argmin, argmin,
             "The point at which the value is smallest, one i32 per axis, and the value.");
}

/// An extent of None is undefined: the dimension is not extended.
std::vector<Expr> extents_from(nb::handle extents) {
  std::vector<Expr> result;
  for (nb::handle extent : extents) result.push_back(extent.is_none() ? Expr() : expr_of(extent));
  return result;
}

/// C++ has them in a namespace of this name.
struct Boundaries {};

void bind_boundaries(nb::module_& module) {
  nb::class_<Boundaries> boundary(module, "BoundaryConditions", "Values of a tensor outside its shape.");
  boundary.def_static(
      "constant",
      [](const Func& func, ExprLike value, nb::sequence extents, const std::string& name) {
        return BoundaryConditions::constant(func, expr_of(value), extents_from(extents), name);
      },
      nb::arg("func"), nb::arg("value"), nb::arg("extents"), nb::arg("name") = "",
      nb::sig("def constant(func: Func, value: ExprLike, extents: Sequence[ExprLike | None], name: str = '') "
              "-> Func"),
      "Returns a Func equal to `func` in [0, extent) of every dimension and to `value` outside. An extent of "
      "None is not extended.");
  boundary.def_static(
      "zero",
      [](const Func& func, nb::sequence extents) {
        return BoundaryConditions::zero(func, extents_from(extents));
      },
      nb::arg("func"), nb::arg("extents"),
      nb::sig("def zero(func: Func, extents: Sequence[ExprLike | None]) -> Func"),
      "Returns a Func equal to `func` in [0, extent) of every dimension and to 0 outside.");
  boundary.def_static(
      "repeat_edge",
      [](const Func& func, nb::sequence extents) {
        return BoundaryConditions::repeat_edge(func, extents_from(extents));
      },
      nb::arg("func"), nb::arg("extents"),
      nb::sig("def repeat_edge(func: Func, extents: Sequence[ExprLike | None]) -> Func"),
      "The nearest element outside.");
}

}  // namespace

void bind_math(nb::module_& module) {
  bind_unary(module);
  bind_binary(module);
  bind_others(module);
  bind_reductions(module);
  bind_boundaries(module);
}

}  // namespace tensordsl::python
