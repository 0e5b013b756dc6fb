// Values for the inputs of a kernel that is tried.
#pragma once

#include <map>
#include <string>

#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"
#include "tensordsl/program.h"

namespace tensordsl::measure {

/// Sizes that are not known are 64.
ParamValues likely_params(const Program& program);

/// Returns values for the inputs, by name. Integers are 0 and 1, so that they are in range where they are
/// indices.
std::map<std::string, Buffer> operand_values(const Program& program, const ParamValues& params);

}  // namespace tensordsl::measure
