// A kernel's launch manifest as parsed JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "tensordsl/kernel_source.h"

namespace tensordsl {

/// Reads a kernel from JSON, as kernel_from_json() does from a text. Throws ParseError, and the exceptions of
/// nlohmann's library.
KernelSource kernel_of(const nlohmann::ordered_json& manifest);

}  // namespace tensordsl
