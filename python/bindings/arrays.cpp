#include "python/bindings/arrays.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "python/bindings/arguments.h"
#include "python/bindings/python_lock.h"
#include "tensordsl/conversion.h"
#include "tensordsl/error.h"

namespace tensordsl::python {
namespace {

nb::module_ numpy() { return nb::module_::import_("numpy"); }

/// Checks that the elements of an array are numbers. Throws Error otherwise: NumPy stores large integers as
/// objects, too.
void require_numbers(nb::handle array) {
  const nb::object dtype = array.attr("dtype");
  const auto kind = nb::cast<std::string>(dtype.attr("kind"));
  if (std::string_view("biuf").find(kind) != std::string_view::npos) return;
  throw Error(fmt::format("unsupported NumPy type {}; convert the array to numbers with .astype{}",
                          nb::cast<std::string>(dtype.attr("name")),
                          kind == "O" ? " (integers must fit into 64 bits)" : ""));
}

/// Returns NumPy's array of the object. Throws Error if it has no numbers, and if elements are masked: these
/// have no values.
nb::object numpy_array(nb::handle object, const nb::object& dtype) {
  if (nb::cast<bool>(numpy().attr("ma").attr("is_masked")(object)))
    throw Error("a masked array has elements without values; fill them with .filled");
  try {
    return numpy().attr("asarray")(object, dtype, nb::arg("order") = "C");
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    throw Error(fmt::format("expected an array of numbers, found {}: {}", class_name(object),
                            nb::cast<std::string>(nb::str(error.value()))));
  }
}

/// `array`: of NumPy, row-major, in the machine's byte order.
HostArray described(nb::object array) {
  require_numbers(array);
  HostArray result;
  result.array = array;
  result.type = type_of(array.attr("dtype"));
  for (nb::handle extent : array.attr("shape")) result.shape.push_back(nb::cast<std::int64_t>(extent));
  Py_buffer view;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_C_CONTIGUOUS) != 0) throw nb::python_error();
  result.bytes = {static_cast<std::byte*>(view.buf), static_cast<std::size_t>(view.len)};
  PyBuffer_Release(&view);  // the array keeps the memory
  return result;
}

}  // namespace

HostArray array_of(nb::handle object, std::optional<Type> wanted) {
  if (object.is_none()) throw nb::type_error("expected an array, found None");
  const bool has_type = nb::hasattr(object, "dtype");
  const nb::object dtype = wanted && !has_type ? dtype_of(*wanted) : nb::object(nb::none());
  nb::object array = numpy_array(object, dtype);
  const nb::object found = array.attr("dtype");
  if (!nb::cast<bool>(found.attr("isnative"))) array = array.attr("astype")(found.attr("newbyteorder")("="));
  return described(array);
}

HostArray input_array_of(nb::handle object, Type type) {
  if (!object.is_none() && !nb::hasattr(object, "dtype") && !type.is_float()) {
    const nb::object numbers = numpy_array(object, nb::none());
    require_numbers(numbers);
    // NumPy warns of a NaN that becomes an integer, which is refused here.
    const nb::object silently = numpy().attr("errstate")(nb::arg("invalid") = "ignore");
    const nb::object cast = silently(numbers.attr("astype"));
    const HostArray converted = described(cast(dtype_of(type), nb::arg("order") = "C"));
    if (!nb::cast<bool>(numpy().attr("array_equal")(numbers, converted.array)))
      throw Error(fmt::format(
          "the list has numbers that are not values of {}, the type of the input; change the numbers "
          "or the input's type",
          to_string(type)));
    return converted;
  }
  HostArray array = array_of(object, type);
  if (array.type == type || !converts_exactly(array.type, type)) return array;
  return described(array.array.attr("astype")(dtype_of(type)));
}

HostArray own_array_of(nb::handle object) {
  if (!nb::isinstance(object, numpy().attr("ndarray")))
    throw nb::type_error("an array to write to must be a numpy.ndarray");
  if (nb::hasattr(object, "mask"))
    throw Error("a masked array cannot be written to, because its mask would stay; pass a plain array");
  const nb::object flags = object.attr("flags");
  if (!nb::cast<bool>(object.attr("dtype").attr("isnative")))
    throw Error(
        "an array that kernels use must have the machine's byte order; create it with tensordsl.empty");
  if (!nb::cast<bool>(flags.attr("c_contiguous")) || !nb::cast<bool>(flags.attr("writeable")))
    throw Error("an array to write to must be row-major and writable; create it with tensordsl.empty");
  return described(nb::borrow(object));
}

HostArray make_array(Type type, const std::vector<std::int64_t>& shape) {
  const Buffer checked(type, std::vector<std::int64_t>(shape.size(), 1));  // the type
  std::int64_t bytes = type.bytes();
  for (const std::int64_t extent : shape) {
    if (extent < 0) throw ShapeError(fmt::format("empty: an extent is {}; it must not be negative", extent));
    bytes *= extent;
  }
  constexpr std::int64_t kAlignment = 128;
  const nb::object memory = numpy().attr("empty")(bytes + kAlignment, "uint8");
  const auto address = nb::cast<std::uintptr_t>(memory.attr("ctypes").attr("data"));
  const auto first = static_cast<std::int64_t>(-address % kAlignment);
  const nb::object slice = memory[nb::slice(nb::int_(first), nb::int_(first + bytes), nb::none())];
  return described(slice.attr("view")(dtype_of(type)).attr("reshape")(nb::cast(shape)));
}

Buffer buffer_of(const HostArray& array) {
  Buffer buffer(array.type, array.shape);
  std::ranges::copy(array.bytes, buffer.bytes().begin());
  return buffer;
}

nb::object array_from(const Buffer& buffer) {
  const HostArray array = make_array(buffer.type(), buffer.shape());
  std::ranges::copy(buffer.bytes(), array.bytes.begin());
  return array.array;
}

std::shared_ptr<const void> keep(nb::object object) {
  return {object.release().ptr(), [](const void* kept) {
            if (!Py_IsInitialized() || is_ending()) return;
            const nb::gil_scoped_acquire lock;
            Py_DECREF(static_cast<PyObject*>(const_cast<void*>(kept)));
          }};
}

}  // namespace tensordsl::python
