// A lowered pipeline as a Program.
#pragma once

#include <vector>

#include "ir/function.h"
#include "lower/lowered.h"
#include "tensordsl/program.h"

namespace tensordsl {

/// `outputs` are the Funcs that were lowered, `kernels` what a backend wrote for them.
Program build_program(const std::vector<ir::FunctionPtr>& outputs, const lower::LoweredPipeline& lowered,
                      std::vector<KernelSource> kernels);

}  // namespace tensordsl
