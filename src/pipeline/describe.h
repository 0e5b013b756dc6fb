// Stages of the compilation as text for users to read.
#pragma once

#include <string>

#include "ir/nodes/function.h"
#include "lower/lowered.h"

namespace tensordsl {

/// Describes every Func and Input of a pipeline, producers first, with the original form of each definition.
std::string describe_definitions(const std::vector<ir::FunctionPtr>& outputs);
/// Describes a kernel's signature, launch shape and body.
std::string describe_kernel(const lower::LoweredKernel& kernel);

}  // namespace tensordsl
