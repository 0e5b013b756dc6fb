// A kernel's launch manifest as parsed JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "tensordsl/kernel_source.h"

namespace tensordsl {

/// As kernel_from_json() reads its text. Throws ParseError, and what nlohmann's library throws.
KernelSource kernel_of(const nlohmann::ordered_json& manifest);

}  // namespace tensordsl
