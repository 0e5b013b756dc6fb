// Which backend writes the kernels of a device.
#pragma once

#include "codegen/backend.h"

namespace tensordsl {

/// The one that the device names; the first if it names none, or there is no device (null). Throws
/// DeviceError that lists what there is.
const Backend& choose_backend(const Backends& backends, const DeviceInfo* device);

}  // namespace tensordsl
