// f64, which not every device has.
#pragma once

#include <optional>
#include <vector>

#include "ir/nodes/function.h"

namespace tensordsl::lower {

/// True if a Func, or an expression in one, has type f64.
bool has_double(const std::vector<ir::FunctionPtr>& functions);

/// Checks uses of f64. Throws ScheduleError if there is one and the device is known not to have f64.
void check_double(const std::vector<ir::FunctionPtr>& functions, std::optional<bool> has_fp64);

}  // namespace tensordsl::lower
