#include "python/bindings/arguments.h"

#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "python/bindings/python_lock.h"
#include "tensordsl/error.h"

namespace tensordsl::python {
namespace {

/// 64 bits with their sign, or without it. Throws Error on more.
ParamValue integer_of(const std::string& name, const nb::object& number) {
  std::int64_t integer = 0;
  if (nb::try_cast(number, integer)) return integer;
  std::uint64_t large = 0;
  if (nb::try_cast(number, large)) return large;
  throw Error(fmt::format("the value of \"{}\" does not fit into 64 bits", name));
}

ParamValue param_value_of(const std::string& name, nb::handle value) {
  const nb::object number = nb::hasattr(value, "item") ? value.attr("item")() : nb::borrow(value);
  if (PyFloat_Check(number.ptr())) return PyFloat_AsDouble(number.ptr());
  if (PyLong_Check(number.ptr()) && !PyBool_Check(number.ptr())) return integer_of(name, number);
  throw nb::type_error(fmt::format("the value of \"{}\" is not a number", name).c_str());
}

}  // namespace

std::string class_name(nb::handle object) { return nb::cast<std::string>(object.type().attr("__name__")); }

bool is_device(PyObject* object) {
  return object == Py_None || PyUnicode_Check(object) || nb::isinstance<Device>(object);
}

std::shared_ptr<Device> device_of(const DeviceLike& device) {
  if (device.is_none()) return nullptr;
  if (!nb::isinstance<nb::str>(device)) return nb::cast<std::shared_ptr<Device>>(device);
  const auto spec = nb::cast<std::string>(device);
  const Unlocked unlocked;
  return Device::open(spec);
}

std::shared_ptr<Device> device_or_default(const DeviceLike& device) {
  if (auto given = device_of(device)) return given;
  const Unlocked unlocked;
  return Device::open();
}

std::vector<std::pair<std::string, nb::object>> entries_of(nb::handle mapping, const char* what) {
  if (!nb::hasattr(mapping, "items") || nb::isinstance<nb::type_object>(mapping))
    throw nb::type_error(
        fmt::format("{}: expected a mapping such as a dict, found {}", what, class_name(mapping)).c_str());
  std::vector<std::pair<std::string, nb::object>> result;
  for (nb::handle item : mapping.attr("items")()) {
    const nb::object key = item[0];
    if (!nb::isinstance<nb::str>(key))
      throw nb::type_error(
          fmt::format("{}: expected a str as a name, found {}", what, nb::cast<std::string>(nb::repr(key)))
              .c_str());
    result.emplace_back(nb::cast<std::string>(key), item[1]);
  }
  return result;
}

ParamValues params_of(nb::handle params) {
  ParamValues result;
  for (const auto& [name, value] : entries_of(params, "params"))
    result.insert_or_assign(name, param_value_of(name, value));
  return result;
}

std::vector<std::int64_t> shape_of(nb::handle shape, const char* call) {
  const auto extent_of = [call](nb::handle extent) {
    const nb::object index = nb::steal(PyNumber_Index(extent.ptr()));
    PyErr_Clear();
    std::int64_t number = 0;
    if (index.is_valid() && nb::try_cast(index, number)) return number;
    throw nb::type_error(fmt::format("{}: expected a shape of integers, found {}", call,
                                     nb::cast<std::string>(nb::repr(extent)))
                             .c_str());
  };
  if (!nb::isinstance<nb::sequence>(shape) || nb::isinstance<nb::str>(shape)) return {extent_of(shape)};
  std::vector<std::int64_t> result;
  for (nb::handle extent : shape) result.push_back(extent_of(extent));
  return result;
}

}  // namespace tensordsl::python
