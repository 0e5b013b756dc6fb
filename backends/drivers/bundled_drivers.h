// The drivers that tensordsl comes with: who runs the kernels that the backends of
// backends/bundled_backends.h write. They are a layer of their own, so that a program that only compiles
// links no driver.
#pragma once

#include "runtime/device/driver.h"

namespace tensordsl {

/// Returns the bundled drivers, in the order that Device::open() and Device::list() use.
runtime::Drivers bundled_drivers();

}  // namespace tensordsl
