// Names that are given to realize() and prepare().
#pragma once

#include <map>
#include <string>

#include "ir/function.h"
#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"

namespace tensordsl {

/// Throws Error if a name is not that of a Param of the pipeline; the message lists them.
void check_params(const ir::FunctionPtr& output, const ParamValues& params);
/// Throws Error if a name is not that of an Input of the pipeline; the message lists them.
void check_inputs(const ir::FunctionPtr& output, const std::map<std::string, Buffer>& inputs);

}  // namespace tensordsl
