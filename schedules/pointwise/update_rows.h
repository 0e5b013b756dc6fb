// Finds the dimensions of a Func whose rows its updates never mix.
#pragma once

#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::schedules {

/// The dimensions whose rows an update keeps apart: it writes and reads the Func at its variable alone. Of
/// stage 0, the start of the Func, those of all updates.
std::vector<Var> rows_of_update(const Func& func, int stage);

/// `rows`, and the other dimensions of `func` inside them.
std::vector<Var> with_other_dims(std::vector<Var> rows, const Func& func);

}  // namespace tensordsl::schedules
