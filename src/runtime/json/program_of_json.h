// A Program as parsed JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Reads a Program from JSON, as program_from_json() does from a text.
Program program_of(const nlohmann::ordered_json& json);

}  // namespace tensordsl::runtime
