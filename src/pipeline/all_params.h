// The Params of a pipeline.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/nodes/function.h"

namespace tensordsl {

/// Returns the types of all Params, by name: Params of definitions, shapes, bounds and specializations,
/// whether kernels need them or not.
std::map<std::string, Type> all_params(const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl
