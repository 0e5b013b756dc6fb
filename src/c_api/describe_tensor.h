// Inputs and outputs, as C sees them.
#pragma once

#include "tensordsl/param_value.h"
#include "tensordsl/program.h"
#include "tensordsl/runtime.h"

namespace tensordsl::c_api {

/// A tdsl_type.
std::int32_t type_of(Type type);

/// With the extents that the Params, and counts, that have values give it. Throws Error if there is no value
/// `index`, or it has more dimensions than a tdsl_tensor takes; `call` is for the message.
tdsl_tensor describe_tensor(const std::vector<Program::Value>& values, std::size_t index,
                            const ParamValues& known, const char* call);

}  // namespace tensordsl::c_api
