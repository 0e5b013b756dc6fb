// Writes definitions as JSON, and reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "ir/nodes/function.h"

namespace tensordsl::runtime {

/// Expressions are in the IR's text form. Needs: no tuples, and no names that the IR's text has for functions
/// of its own.
nlohmann::ordered_json functions_to_json(const std::vector<ir::FunctionPtr>& functions);

/// Reads the JSON of functions_to_json(). Throws ParseError on anything else.
std::vector<ir::FunctionPtr> functions_from_json(const nlohmann::ordered_json& json);

/// Returns the JSON Schema of one of them, over the definition "type".
nlohmann::ordered_json function_schema();

}  // namespace tensordsl::runtime
