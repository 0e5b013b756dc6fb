// A Program as parsed JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// As program_from_json() reads its text.
Program program_of(const nlohmann::ordered_json& json);

}  // namespace tensordsl::runtime
