// Derives the options of lowering from a device.
#pragma once

#include "codegen/backend.h"
#include "lower/lower.h"
#include "tensordsl/device.h"

namespace tensordsl {

/// Returns the options for a device; `device` is null if it is not known. Debug builds check the IR after
/// every pass. Without a backend the code is OpenCL C.
lower::LowerOptions lower_options(const DeviceInfo* device, const Backend* backend = nullptr);

}  // namespace tensordsl
