#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "python/bindings/arguments.h"
#include "python/bindings/functions.h"
#include "python/bindings/operators.h"
#include "tensordsl/error.h"

namespace tensordsl::python {
namespace {

/// A literal, of the type that it would have in C++.
Expr integer_literal(nb::handle object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow == 0) {
    const bool is_small =
        value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
    return is_small ? Expr(static_cast<int>(value)) : Expr(static_cast<std::int64_t>(value));
  }
  const unsigned long long large = PyLong_AsUnsignedLongLong(object.ptr());
  if (!PyErr_Occurred()) return Expr(static_cast<std::uint64_t>(large));
  PyErr_Clear();
  throw Error(fmt::format("the number {} does not fit into 64 bits", nb::cast<std::string>(nb::str(object))));
}

bool is_number(nb::handle object) {
  return PyBool_Check(object.ptr()) || PyLong_Check(object.ptr()) || PyFloat_Check(object.ptr());
}

Expr number_of(nb::handle object) {
  if (PyBool_Check(object.ptr())) return Expr(object.is(Py_True));
  if (PyLong_Check(object.ptr())) return integer_literal(object);
  return Expr(PyFloat_AsDouble(object.ptr()));
}

/// A scalar of NumPy, or an array without dimensions.
bool is_scalar_of_numpy(nb::handle object) {
  return nb::hasattr(object, "dtype") && nb::hasattr(object, "item") && nb::hasattr(object, "ndim") &&
         nb::cast<int>(object.attr("ndim")) == 0;
}

std::vector<std::pair<Expr, Expr>> ranges_of(nb::handle ranges) {
  std::vector<std::pair<Expr, Expr>> result;
  if (!nb::isinstance<nb::sequence>(ranges))
    throw nb::type_error("RDom: expected a list of ranges (first, extent)");
  for (nb::handle range : ranges) {
    const std::vector<Expr> both =
        nb::isinstance<nb::sequence>(range) ? exprs_of(range) : std::vector<Expr>();
    if (both.size() != 2) throw nb::type_error("RDom: expected a range (first, extent)");
    result.emplace_back(both[0], both[1]);
  }
  return result;
}

/// Numbers where they are known, else text.
nb::object extent_of(const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? nb::object(nb::int_(std::stoll(text))) : nb::object(nb::str(text.c_str()));
}

}  // namespace

nb::tuple extents_of(const std::vector<Expr>& extents) {
  nb::list list;
  for (const Expr& extent : extents) list.append(extent_of(to_string(extent)));
  return nb::tuple(list);
}

nb::tuple extents_of(const std::vector<SizeExpr>& extents) {
  nb::list list;
  for (const SizeExpr& extent : extents) list.append(extent_of(to_string(extent)));
  return nb::tuple(list);
}

bool is_expression(nb::handle object) {
  return nb::isinstance<Expr>(object) || nb::isinstance<Var>(object) || nb::isinstance<RDom>(object) ||
         nb::isinstance<Param>(object) || nb::isinstance<Element>(object) ||
         nb::isinstance<Component>(object);
}

Expr expr_of(nb::handle object) {
  if (nb::isinstance<Expr>(object)) return nb::cast<Expr>(object);
  if (nb::isinstance<RVar>(object)) return nb::cast<RVar&>(object);
  if (nb::isinstance<Var>(object)) return nb::cast<Var&>(object);
  if (nb::isinstance<Element>(object)) return nb::cast<Element&>(object).ref;
  if (nb::isinstance<Component>(object)) return nb::cast<Component&>(object).ref;
  if (nb::isinstance<RDom>(object)) return nb::cast<RDom&>(object);
  if (nb::isinstance<Param>(object)) return nb::cast<Param&>(object);
  if (is_number(object)) return number_of(object);
  if (is_scalar_of_numpy(object)) {
    const nb::object value = object.attr("item")();
    if (is_number(value)) return number_of(value);
  }
  throw nb::type_error(
      fmt::format("expected a number or an expression, found {}", class_name(object)).c_str());
}

std::vector<Expr> exprs_of(nb::handle object) {
  if (is_expression(object) || !nb::isinstance<nb::sequence>(object)) return {expr_of(object)};
  std::vector<Expr> result;
  for (nb::handle item : object) result.push_back(expr_of(item));
  return result;
}

bool is_variable(PyObject* object) { return PyUnicode_Check(object) || nb::isinstance<Var>(object); }

Var var_of(nb::handle object) {
  if (nb::isinstance<Var>(object)) return nb::cast<Var>(object);
  if (nb::isinstance<nb::str>(object)) return Var(nb::cast<std::string>(object));
  throw nb::type_error(fmt::format("expected a Var or its name, found {}", class_name(object)).c_str());
}

void bind_expressions(nb::module_& module) {
  nb::class_<Expr> expr(module, "Expr", "An immutable expression.");
  expr.def(
      "__init__", [](Expr* self, ExprLike value) { new (self) Expr(expr_of(value)); }, nb::arg("value"),
      "Makes an expression of a number, or of an object that reads as one.");
  expr.def_prop_ro("type", &Expr::type, "Type of its value.");
  expr.def("__str__", [](const Expr& e) { return to_string(e); });
  expr.def("__repr__", [](const Expr& e) { return to_string(e); });
  bind_operators(expr);

  nb::class_<Var> var(module, "Var", "An i32 index. Vars are equal if their names are.");
  var.def(nb::init<>(), "Makes a Var with a unique name.");
  var.def(nb::init<std::string>(), nb::arg("name"),
          "Makes a Var. Throws DefinitionError if the name is empty.");
  var.def_prop_ro("name", &Var::name, "Name of the Var, which its loop has too.");
  var.def("__repr__", [](const Var& v) { return v.name(); });
  bind_operators(var);

  nb::class_<RVar, Var>(module, "RVar", "One axis of an RDom.");

  nb::class_<RDom> domain(module, "RDom", "A reduction domain: the points of a box, first axis outermost.");
  domain.def(
      "__init__",
      [](RDom* self, nb::handle ranges, const std::string& name) {
        new (self) RDom(ranges_of(ranges), name);
      },
      nb::arg("ranges"), nb::arg("name") = "",
      nb::sig("def __init__(self, ranges: Sequence[tuple[ExprLike, ExprLike]], name: str = '') -> None"),
      "Makes a box. Ranges are (first, extent); the axes are named NAME_0, NAME_1, ...");
  domain.def(
      "where", [](RDom& self, ExprLike condition) { self.where(expr_of(condition)); }, nb::arg("condition"),
      "Removes the points at which the condition does not hold.");
  domain.def(
      "__getitem__", [](const RDom& self, int axis) { return self[axis]; }, nb::arg("axis"),
      "0 is the outermost.");
  domain.def("__len__", &RDom::rank);
  domain.def(
      "__iter__", [](const RDom& self) { return nb::iter(nb::cast(self.axes())); },
      nb::sig("def __iter__(self) -> Iterator[RVar]"));
  domain.def_prop_ro("rank", &RDom::rank, "The number of axes.");
  domain.def("__repr__", [](const RDom& self) {
    std::string names;
    for (const RVar& axis : self.axes()) names += (names.empty() ? "" : ", ") + axis.name();
    return fmt::format("RDom({})", names);
  });
  bind_operators(domain);

  nb::class_<Param> param(module, "Param",
                          "A scalar that is known only at run time: an argument of the kernel.");
  param.def(
      "__init__",
      [](Param* self, const std::string& name, std::optional<TypeLike> type) {
        new (self) Param(name, type ? type_of(*type) : Int(32));
      },
      nb::arg("name"), nb::arg("type") = nb::none(),
      "Makes a Param, of i32 if no type is given; extents are i32.");
  param.def_prop_ro("name", &Param::name, "Name by which its value is given.");
  param.def("__repr__", [](const Param& self) {
    return fmt::format("Param({}: {})", self.name(), to_string(Expr(self).type()));
  });
  bind_operators(param);
}

}  // namespace tensordsl::python
