// A lowered pipeline as a Program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "lower/lowered.h"
#include "tensordsl/buffer.h"
#include "tensordsl/program.h"

namespace tensordsl {

/// Builds a Program. `outputs` are the Funcs that were lowered, `kernels` the backend's kernels for them,
/// `constants` the values of Inputs that became constants.
Program build_program(const std::vector<ir::FunctionPtr>& outputs, const lower::LoweredPipeline& lowered,
                      std::vector<KernelSource> kernels, const std::map<std::string, Buffer>& constants);

}  // namespace tensordsl
