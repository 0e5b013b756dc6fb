// Needs: a group, values for its inputs.  Gives: some elements of its outputs, as its definitions say.
#pragma once

#include <map>
#include <string>

#include "definitions/group.h"
#include "measure/check_outputs.h"
#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"

namespace tensordsl::tune {

/// Of each output the first element, the last, and some between them, by the interpreter. Where it refuses a
/// definition, as of an index out of range for these inputs, none: then candidates are compared with each
/// other alone.
measure::ExpectedOutputs expected_outputs(const Group& group, const std::map<std::string, Buffer>& inputs,
                                          const ParamValues& params);

}  // namespace tensordsl::tune
