// Needs: a group, values for its inputs.  Gives: some elements of its outputs, as its definitions say.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "definitions/stored_group.h"
#include "measure/check_outputs.h"
#include "measure/measurer.h"
#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"

namespace tensordsl::tune {

/// Interprets the first element of each output, the last, and some between them. Returns none if the
/// interpreter refuses a definition, for instance because an index is out of range for these inputs:
/// candidates are then compared only with each other.
measure::ExpectedOutputs expected_outputs(const definitions::StoredGroup& group,
                                          const std::map<std::string, Buffer>& inputs,
                                          const ParamValues& params);

/// Programs of a group, each null or with the same inputs, and their expected outputs.
measure::Request request_for(const definitions::StoredGroup& group,
                             std::vector<std::shared_ptr<const Program>> programs);

}  // namespace tensordsl::tune
