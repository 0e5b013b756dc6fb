// Accepted cases on any Device, with kernels of any backend.
#pragma once

#include <string>
#include <vector>

#include "codegen/backend.h"
#include "fuzz/run_case.h"
#include "tensordsl/device.h"

namespace tensordsl::fuzz {

/// Builds the kernels of all cases at once; for each, how its output differs from the expected one, or an
/// empty text.
std::vector<std::string> run_on_device(Device& device, const Backend& backend,
                                       const std::vector<Result>& cases);

}  // namespace tensordsl::fuzz
