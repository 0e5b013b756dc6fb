// The processor of this machine as a device, for programs that do without OpenCL: they link TensorDSL::core
// and TensorDSL::hostjit, and need LLVM 15 to 19 where they run.
#pragma once

#include <memory>

#include "tensordsl/device.h"

namespace tensordsl {

/// What Device::open("host") gives, without OpenCL's loader in the process. Throws DeviceError where there is
/// no LLVM 15 to 19: the environment's TENSORDSL_LLVM names its library.
std::shared_ptr<Device> open_host_device();

}  // namespace tensordsl
