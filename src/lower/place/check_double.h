// f64, which not every device has.
#pragma once

#include <optional>
#include <vector>

#include "ir/nodes/function.h"

namespace tensordsl::lower {

/// Whether something is of f64.
bool has_double(const std::vector<ir::FunctionPtr>& functions);

/// Throws ScheduleError if something is of f64 and the device is known to have none.
void check_double(const std::vector<ir::FunctionPtr>& functions, std::optional<bool> has_fp64);

}  // namespace tensordsl::lower
