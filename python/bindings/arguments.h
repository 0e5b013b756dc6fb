// Arguments that Python gives in several forms, and the errors about other objects.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings/bindings.h"
#include "tensordsl/device.h"
#include "tensordsl/param_value.h"

namespace tensordsl::python {

bool is_device(PyObject* object);

/// A Device, an argument of Device.open, or None.
struct DeviceLike : nb::object {
  NB_OBJECT(DeviceLike, nb::object, "Device | str | None", is_device)
};

/// Returns the Device; null for None. Opens the device that a str names.
std::shared_ptr<Device> device_of(const DeviceLike& device);
/// Returns the device; the default one for None.
std::shared_ptr<Device> device_or_default(const DeviceLike& device);

/// Returns the entries of a mapping by names; `what` names it in errors. Throws TypeError on an object that
/// is not a mapping, and on a key that is not a str.
std::vector<std::pair<std::string, nb::object>> entries_of(nb::handle mapping, const char* what);
/// Returns the values of Params from a mapping of numbers by name.
ParamValues params_of(nb::handle params);
/// Returns a shape from a number, or a sequence of numbers. Throws TypeError on anything else.
std::vector<std::int64_t> shape_of(nb::handle shape, const char* call);

/// Returns the name of the object's class.
std::string class_name(nb::handle object);

}  // namespace tensordsl::python
