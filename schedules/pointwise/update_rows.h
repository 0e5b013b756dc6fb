// Finds the dimensions of a Func whose rows its updates never mix.
#pragma once

#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::schedules {

/// Returns the dimensions whose rows an update never mixes: it writes and reads the Func only at its own
/// variable. For stage 0, the initial values, the dimensions that no update mixes.
std::vector<Var> rows_of_update(const Func& func, int stage);

/// `rows`, and the other dimensions of `func` inside them.
std::vector<Var> with_other_dims(std::vector<Var> rows, const Func& func);

}  // namespace tensordsl::schedules
