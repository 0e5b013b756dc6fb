// Many pipelines in few OpenCL programs: PoCL takes half a second for a program, whatever is in it.
#pragma once

#include <string>
#include <vector>

#include "fuzz/run_case.h"
#include "tensordsl/device.h"

namespace tensordsl::fuzz {

/// The device that TENSORDSL_DEVICE names, or the first.
DeviceInfo device_of_batch();

/// Runs accepted cases on the device that TENSORDSL_DEVICE names, or the first one. Returns for each the
/// difference between its output and the expected one, or an empty text. Kernel names must be unique among
/// the cases. A program has at most `kernels_of_program` kernels, or those of one case.
std::vector<std::string> run_on_device(const std::vector<Result>& cases, int kernels_of_program);

}  // namespace tensordsl::fuzz
