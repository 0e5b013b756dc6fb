// How much of a test is drawn in which tier.
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

}  // namespace tensordsl::testing
