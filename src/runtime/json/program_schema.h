// The schema of a Program's JSON.
#pragma once

#include <string>

namespace tensordsl::runtime {

/// Returns the text of src/runtime/json/program.schema.json: JSON Schema, generated from the list of the
/// fields.
std::string program_schema();

}  // namespace tensordsl::runtime
