// Inputs and outputs, as C sees them.
#pragma once

#include "tensordsl/param_value.h"
#include "tensordsl/program.h"
#include "tensordsl/runtime.h"

namespace tensordsl::c_api {

/// Returns the tdsl_type of a type.
std::int32_t type_of(Type type);

/// Describes a value with the extents that known Params and counts give it. Throws Error if there is no value
/// `index`, or it has more dimensions than a tdsl_tensor takes; `call` is used in the message.
tdsl_tensor describe_tensor(const std::vector<Program::Value>& values, std::size_t index,
                            const ParamValues& known, const char* call);

}  // namespace tensordsl::c_api
