// f(x) = in(x + 1), f at the root, out(x) = f(x*2)   ->   out(x) = in(x*2 + 1)
#pragma once

#include <optional>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// The Producers as if each Func that one definition gives were inlined, wherever its schedule computes it:
/// what the definitions read, without the boxes that are computed for them. None if they become too large.
std::optional<std::vector<Producer>> with_all_inlined(const std::vector<Producer>& producers);

}  // namespace tensordsl::lower
