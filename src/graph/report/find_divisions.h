// for k { y[i] = x[truncating_div(k, 3)*8 + truncating_mod(k, 3)] }   ->   truncating_div(k, 3) and
// truncating_mod(k, 3), once each, in a loop
// Needs: lowered kernels.  Gives: the divisions and remainders of integers that are left in them.
#pragma once

#include <vector>

#include "lower/lowered.h"
#include "tensordsl/inspection.h"

namespace tensordsl::graph {

/// Finds the divisions and remainders, not the shifts and masks that replace them: those in the deepest loops
/// first, then in the order of their text.
std::vector<Inspection::Division> find_divisions(const std::vector<lower::LoweredKernel>& kernels);

}  // namespace tensordsl::graph
