#include "python/bindings/functions.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/operators.h"
#include "tensordsl/error.h"

namespace tensordsl::python {
namespace {

/// Result of f[x] += value, which Python assigns to f[x]: the update has been made already.
struct MadeUpdate {
  Func of;
};

void check_made(const MadeUpdate& made, const Func& func) {
  if (made.of.shared() == func.shared()) return;
  throw DefinitionError(
      fmt::format("{}[..] = ..: the right side is the result of an update of {}, which has no value; assign "
                  "an expression",
                  func.name(), made.of.name()));
}

std::vector<Expr> indices_of(nb::handle key) {
  if (PySlice_Check(key.ptr()))
    throw DefinitionError(
        "a Func cannot be sliced; index it with one expression for each dimension, as in f[x, y]");
  return exprs_of(key);
}

/// Calls `use` with the value as its own class: an element of a Func, a Tuple or an Expr.
template <typename Use>
void with_value(nb::handle value, Use use) {
  if (nb::isinstance<Element>(value)) return use(nb::cast<Element&>(value).ref);
  if (is_tuple(value)) return use(tuple_of(value));
  use(expr_of(value));
}

void define(const Func& func, nb::handle key, nb::handle value) {
  if (nb::isinstance<MadeUpdate>(value)) return check_made(nb::cast<MadeUpdate&>(value), func);
  FuncRef element = func(indices_of(key));
  with_value(value, [&](const auto& v) { element = v; });
}

void define_component(Element& element, int index, nb::handle value) {
  if (nb::isinstance<MadeUpdate>(value)) return check_made(nb::cast<MadeUpdate&>(value), element.func);
  element.ref[index] = expr_of(value);
}

void bind_elements(nb::module_& module) {
  nb::class_<MadeUpdate>(module, "MadeUpdate",
                         "Result of f[x] += value, which Python assigns; it has no value to read.");

  nb::class_<Element> element(module, "FuncRef", "f[x, y]: read as an expression, or defined by assignment.");
  // Stubs give it the class of f[x], as type checkers require of the operand of +=.
  const auto update = [&](const char* name, auto op) {
    element.def(
        name,
        [op](Element& self, nb::handle value) {
          with_value(value, [&](const auto& v) { op(self.ref, v); });
          return MadeUpdate{self.func};
        },
        nb::sig((std::string("def ") + name + "(self, value: ExprLike | tuple[ExprLike, ...], /) -> FuncRef")
                    .c_str()));
  };
  update("__iadd__", [](FuncRef& ref, const auto& value) { ref += value; });
  update("__isub__", [](FuncRef& ref, const auto& value) { ref -= value; });
  update("__imul__", [](FuncRef& ref, const auto& value) { ref *= value; });
  update("__itruediv__", [](FuncRef& ref, const auto& value) { ref /= value; });
  element.def(
      "maximize", [](Element& self, ExprLike value) { self.ref.maximize(expr_of(value)); }, nb::arg("value"),
      "f = max(f, value); starts from the type's lowest value.");
  element.def(
      "minimize", [](Element& self, ExprLike value) { self.ref.minimize(expr_of(value)); }, nb::arg("value"),
      "f = min(f, value); starts from the type's highest value.");
  element.def(
      "__getitem__",
      [](Element& self, int index) {
        return Component{self.func, self.ref[index]};
      },
      nb::arg("index"), "Returns a component of the element.");
  element.def("__len__", [](const Element& self) { return self.func.outputs(); });
  element.def(
      "__iter__",
      [](Element& self) {
        if (self.func.outputs() < 2)
          throw nb::type_error(
              "an element of a Func with one value is not a sequence: its value is computed when kernels "
              "run");
        return nb::iter(list_of(Tuple(self.ref)));
      },
      nb::sig("def __iter__(self) -> Iterator[Expr]"));
  element.def("__setitem__", define_component, nb::arg("index"), nb::arg("value").none(),
              nb::sig("def __setitem__(self, index: int, value: ExprLike | MadeUpdate) -> None"),
              "Updates the Func: this component becomes `value`.");
  element.def(
      "components", [](Element& self) { return list_of(Tuple(self.ref)); },
      nb::sig("def components(self) -> tuple[Expr, ...]"),
      "Returns the values of the element: one, or those of a tuple.");
  bind_operators(element);

  nb::class_<Component> component(module, "FuncTupleElementRef", "f[x, y][1]: one of several values.");
  const auto update_one = [&](const char* name, auto op) {
    component.def(
        name,
        [op](Component& self, ExprLike value) {
          op(self.ref, expr_of(value));
          return MadeUpdate{self.func};
        },
        nb::sig((std::string("def ") + name + "(self, value: ExprLike, /) -> FuncTupleElementRef").c_str()));
  };
  update_one("__iadd__", [](FuncTupleElementRef& ref, const Expr& value) { ref += value; });
  update_one("__isub__", [](FuncTupleElementRef& ref, const Expr& value) { ref -= value; });
  update_one("__imul__", [](FuncTupleElementRef& ref, const Expr& value) { ref *= value; });
  update_one("__itruediv__", [](FuncTupleElementRef& ref, const Expr& value) { ref /= value; });
  bind_operators(component);
}

}  // namespace

bool is_tuple(nb::handle object) {
  if (nb::isinstance<nb::tuple>(object) || nb::isinstance<nb::list>(object)) return true;
  return nb::isinstance<Element>(object) && nb::cast<Element&>(object).func.outputs() > 1;
}

Tuple tuple_of(nb::handle object) {
  if (nb::isinstance<Element>(object)) return Tuple(nb::cast<Element&>(object).ref);
  return Tuple(exprs_of(object));
}

nb::tuple list_of(const Tuple& values) {
  nb::list list;
  for (const Expr& value : values.as_vector()) list.append(value);
  return nb::tuple(list);
}

void bind_functions(nb::module_& module) {
  bind_elements(module);

  nb::class_<Func, Stage> func(
      module, "Func", "A tensor given by its definition: f[x, y] = value. It is also its own first Stage.");
  func.def(nb::init<const std::string&>(), nb::arg("name") = "",
           "Makes a Func without a definition. The name becomes an OpenCL identifier; empty: a unique one.");
  func.def(
      "__getitem__",
      [](const Func& self, nb::handle key) {
        return Element{self, self(indices_of(key))};
      },
      nb::arg("key").none(),
      nb::sig("def __getitem__(self, key: ExprLike | tuple[ExprLike, ...]) -> FuncRef"),
      "Names an element, to be read or updated. A Func without dimensions is f[()].");
  func.def("__setitem__", define, nb::arg("key").none(), nb::arg("value").none(),
           nb::sig("def __setitem__(self, key: ExprLike | tuple[ExprLike, ...], value: ExprLike | "
                   "tuple[ExprLike, ...] | MadeUpdate) -> None"),
           "Defines the Func. The first definition is indexed with distinct Vars; later ones are updates, "
           "which run in order.");
  func.def("update", &Func::update, nb::arg("index") = 0,
           "Returns an update definition, 0 being the first, for directives.");
  func.def_prop_ro("updates", &Func::updates, "Number of definitions after the pure one.");
  func.def("in_", nb::overload_cast<const Func&>(&Func::in, nb::const_), nb::arg("consumer"),
           "Makes a copy of this tensor that `consumer` reads in its place: in() in C++.");
  func.def("in_", nb::overload_cast<const std::vector<Func>&>(&Func::in, nb::const_), nb::arg("consumers"),
           "Makes one such copy for several consumers.");
  func.def("producer", &Func::producer, nb::arg("name"),
           "Returns the Func or Input of that name that this one reads.");
  func.def_prop_ro("name", &Func::name, "Name as it was given.");
  func.def_prop_ro("type", &Func::type, "Type of its values.");
  func.def_prop_ro("types", &Func::types, "Type of each component; empty before it is defined.");
  func.def_prop_ro("outputs", &Func::outputs, "Number of values of an element.");
  func.def_prop_ro("rank", &Func::rank, "The number of dimensions.");
  func.def_prop_ro("is_input", &Func::is_input, "True if it is an Input.");
  func.def("__repr__", [](const Func& f) { return fmt::format("Func(\"{}\")", f.name()); });
  func.def("__iter__", [](const Func&) -> nb::object {
    throw nb::type_error("a Func is not a sequence: its elements are computed when kernels run");
  });

  nb::class_<Input, Func> input(module, "Input",
                                "A tensor given from outside: read like a Func, never defined.");
  input.def(
      "__init__",
      [](Input* self, const std::string& name, TypeLike type, nb::handle shape,
         const std::vector<std::string>& dims) {
        new (self) Input(name, type_of(type), exprs_of(shape), dims);
      },
      nb::arg("name"), nb::arg("type"), nb::arg("shape"), nb::arg("dims") = std::vector<std::string>(),
      nb::sig("def __init__(self, name: str, type: Type | DTypeLike, shape: ExprLike | Sequence[ExprLike], "
              "dims: Sequence[str] = ()) -> None"),
      "Declares an Input. Extents are numbers and Params; `dims` names the dimensions for layout().");
  input.def_prop_ro("shape", &Input::shape, "The extents, as they were given.");
  input.def("__repr__", [](const Input& f) { return fmt::format("Input(\"{}\")", f.name()); });

  module.def("producer", nb::overload_cast<const std::vector<Func>&, const std::string&>(&producer),
             nb::arg("outputs"), nb::arg("name"),
             "Returns the Func or Input of that name that one of the outputs reads, or one of them.");
}

}  // namespace tensordsl::python
