// Many small Programs in one OpenCL program: a driver such as PoCL takes half a second for a program,
// whatever is in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "onnx_data/prepare.h"
#include "tensordsl/device.h"

namespace tensordsl::conformance {

/// Returns how the outputs of each differ from the expected ones, in the order of `prepared`; nothing where
/// they do not. Throws Error if one of them does not build or run.
std::vector<std::optional<std::string>> run_together(const std::vector<const Prepared*>& prepared,
                                                     Device& device);

}  // namespace tensordsl::conformance
