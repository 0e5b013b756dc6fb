// A pipeline on the host: by its definitions, or by its lowered kernels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"
#include "tensordsl/trace.h"

namespace tensordsl {

/// Computes the outputs by the interpreter. `params` has the symbolic extents of the outputs too. Throws the
/// errors of the interpreter.
std::vector<Buffer> interpret_on_host(const std::vector<ir::FunctionPtr>& outputs,
                                      const std::map<std::string, Buffer>& inputs, const ParamValues& params,
                                      const Trace& trace);

/// Computes the outputs by simulating the kernels. Throws the errors of lowering and of the simulator.
std::vector<Buffer> simulate_on_host(const std::vector<ir::FunctionPtr>& outputs,
                                     const std::map<std::string, Buffer>& inputs, const ParamValues& params,
                                     const Trace& trace);

}  // namespace tensordsl
