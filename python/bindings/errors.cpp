#include "python/bindings/bindings.h"
#include "tensordsl/error.h"

namespace tensordsl::python {

void bind_errors(nb::module_& module) {
  // The translator that was added last is asked first.
  const nb::exception<InternalError> internal(module, "InternalError");
  const nb::exception<Error> error(module, "Error");
  nb::exception<DefinitionError>(module, "DefinitionError", error);
  nb::exception<ScheduleError>(module, "ScheduleError", error);
  nb::exception<ShapeError>(module, "ShapeError", error);
  nb::exception<ModelError>(module, "ModelError", error);
  nb::exception<ParseError>(module, "ParseError", error);
  const nb::exception<DeviceError> device(module, "DeviceError", error);
  nb::exception<WorkGroupError>(module, "WorkGroupError", device);
}

}  // namespace tensordsl::python
