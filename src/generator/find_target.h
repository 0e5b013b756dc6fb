// Finds the target for which a generator writes kernels.
#pragma once

#include <string>

#include "tensordsl/generator.h"

namespace tensordsl::generator {

/// Returns the target: "any": nothing is known of the device; "here": the default device of this machine;
/// else a name or file that load_hw_profile() takes. Throws Error that starts with "target=".
GeneratorTarget find_target(const std::string& name);

/// Lists the legal names: "any, here, the name of a profile (adreno630, ...) or its file".
std::string legal_targets();

}  // namespace tensordsl::generator
