// What the processor of this machine is, as a device.
#pragma once

#include "backends/llvm/device/compile_object.h"
#include "tensordsl/device.h"

namespace tensordsl::host {

DeviceInfo host_info(const LlvmLibrary& llvm, const Processor& processor, int platform_number);

}  // namespace tensordsl::host
