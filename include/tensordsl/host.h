// The processor of this machine as a device, for programs without OpenCL: they link TensorDSL::core and
// TensorDSL::hostjit, and need LLVM 15 to 19 where they run.
#pragma once

#include <memory>

#include "tensordsl/device.h"

namespace tensordsl {

/// Opens the device of Device::open("host"), without loading OpenCL into the process. Throws DeviceError if
/// there is no LLVM 15 to 19; the environment's TENSORDSL_LLVM names its library.
std::shared_ptr<Device> open_host_device();

}  // namespace tensordsl
