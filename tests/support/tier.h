// Lets a test draw a part of its cases in the tier `quick`, and all of them in the tier `full`.
#pragma once

#include <cstdlib>
#include <string_view>

namespace tensordsl::testing {

/// Returns `full` if TENSORDSL_TEST_TIER is "full", as in the ctests NAME_full, else `quick`.
template <typename T>
T by_tier(T quick, T full) {
  const char* tier = std::getenv("TENSORDSL_TEST_TIER");
  return tier != nullptr && std::string_view(tier) == "full" ? full : quick;
}

/// Returns true if this is the tier `quick` and `is_for_full`: the case runs only in the tier `full`.
inline bool is_left_to_full(bool is_for_full) { return by_tier(is_for_full, false); }

}  // namespace tensordsl::testing
