// Describes the storage of inputs and outputs in the device's memory for C.
#pragma once

#include <map>
#include <string>

#include "tensordsl/param_value.h"
#include "tensordsl/program.h"
#include "tensordsl/runtime.h"

namespace tensordsl::c_api {

/// Describes the input or output of that name, for these values of Params. `layouts` keeps the text of the
/// layout. Throws Error if no value has that name, or its size depends on data that is not known.
tdsl_memory describe_memory(const Program& program, const std::string& name, const ParamValues& known,
                            std::map<std::string, std::string>& layouts);

}  // namespace tensordsl::c_api
