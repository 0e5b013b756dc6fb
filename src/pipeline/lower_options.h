// What lowering has to know of a device.
#pragma once

#include "lower/pipeline.h"
#include "tensordsl/device.h"

namespace tensordsl {

/// `device`: null if it is not known. Debug builds check the IR after every pass.
lower::LowerOptions lower_options(const DeviceInfo* device);

}  // namespace tensordsl
