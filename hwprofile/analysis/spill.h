// Finds the number of registers that a work-item may have before it spills to memory. Source: Romou (MobiCom
// 2022), section 3, figure 5.
#pragma once

#include <optional>
#include <vector>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Returns the largest number of values that a work-item can keep in registers: with more, an operation on
/// one of them takes longer. Nullopt if the time does not rise.
std::optional<Measurement> find_spill(const Sweep& values);

/// Numbers of values to ask for: a coarse grid, and a fine one around where they were seen to spill.
std::vector<double> value_counts(const std::optional<Measurement>& spill);

}  // namespace tensordsl::hwprofile
