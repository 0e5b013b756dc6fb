#include <fmt/format.h>
#include <nanobind/operators.h>
#include <nanobind/stl/string.h>

#include "python/bindings/bindings.h"
#include "tensordsl/error.h"

namespace tensordsl::python {
namespace {

/// Returns NumPy's name of the type: "float32", "uint8", "bool".
std::string numpy_name(Type type) {
  if (type.is_bool()) return "bool";
  return fmt::format("{}{}", type.is_float() ? "float" : type.is_int() ? "int" : "uint", type.bits);
}

Type type_of_numpy_name(const std::string& name) {
  for (const char* text :
       {"f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool"}) {
    const Type type = *parse_type(text);
    if (numpy_name(type) == name) return type;
  }
  throw Error(fmt::format("Type: unknown element type {}; the types are {}", name, supported_types()));
}

}  // namespace

bool names_type(PyObject* object) {
  return !PyLong_Check(object) && !PyFloat_Check(object) && !PyTuple_Check(object) && !PyList_Check(object);
}

Type type_of(nb::handle object) {
  if (nb::isinstance<Type>(object)) return nb::cast<Type>(object);
  if (nb::isinstance<nb::str>(object)) {
    if (const auto type = parse_type(nb::cast<std::string>(object))) return *type;
  }
  nb::object dtype;
  try {
    dtype = nb::module_::import_("numpy").attr("dtype")(object);
  } catch (const nb::python_error&) {
    throw Error(fmt::format("Type: {} is not an element type; the types are {}",
                            nb::cast<std::string>(nb::repr(object)), supported_types()));
  }
  return type_of_numpy_name(nb::cast<std::string>(dtype.attr("name")));
}

nb::object dtype_of(Type type) {
  return nb::module_::import_("numpy").attr("dtype")(numpy_name(type.element()));
}

void bind_types(nb::module_& module) {
  nb::class_<Type>(module, "Type",
                   "The type of a value: f16, f32, f64, i8 to i64, u8 to u64, bool; or a vector of these.")
      .def(
          "__init__", [](Type* self, TypeLike of) { new (self) Type(type_of(of)); }, nb::arg("of"),
          "Makes the type of \"f32\", \"float32\", numpy.float32 and the like.")
      .def_prop_ro(
          "dtype", [](Type type) { return dtype_of(type); }, nb::sig("def dtype(self) -> numpy.dtype"),
          "The same type of NumPy: its dtype.")
      .def_ro("bits", &Type::bits, "Bits of an element; 8 for a bool.")
      .def_ro("lanes", &Type::lanes, "Number of lanes; 1: a scalar.")
      .def("is_float", &Type::is_float, "True for f16, f32 or f64.")
      .def("is_int", &Type::is_int, "True for a signed integer.")
      .def("is_uint", &Type::is_uint, "True for an unsigned integer, no bool.")
      .def("is_bool", &Type::is_bool, "True for a truth value.")
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](Type type) { return nb::hash(nb::str(to_string(type).c_str())); })
      .def("__str__", [](Type type) { return to_string(type); })
      .def("__repr__", [](Type type) { return fmt::format("Type(\"{}\")", to_string(type)); });

  const auto supported = [](Type type, int bits) {
    if (is_supported(type) && type.bits == bits) return type;
    throw Error(fmt::format("Type: no type has {} bits; the types are {}", bits, supported_types()));
  };
  module.def(
      "Float", [=](int bits) { return supported(Float(bits), bits); }, nb::arg("bits") = 32,
      "The float of 16, 32 or 64 bits.");
  module.def(
      "Int", [=](int bits) { return supported(Int(bits), bits); }, nb::arg("bits") = 32,
      "The signed integer of 8, 16, 32 or 64 bits.");
  module.def(
      "UInt", [=](int bits) { return supported(UInt(bits), bits); }, nb::arg("bits") = 8,
      "The unsigned integer of 8, 16, 32 or 64 bits.");
  module.def(
      "Bool", [] { return Bool(); }, "A truth value, in memory a byte.");
}

}  // namespace tensordsl::python
