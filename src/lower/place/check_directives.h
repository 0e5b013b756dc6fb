// Checks of directives against the whole pipeline and the device.
#pragma once

#include <vector>

#include "lower/lower.h"
#include "lower/lowered.h"
#include "lower/stages.h"

namespace tensordsl::lower {

/// Throws ScheduleError if a directive is for storage or kernels that its Func does not have. An inlined Func
/// has neither, one computed inside a consumer has no kernel, and one computed at the root is in global
/// memory.
void check_directives(const std::vector<ir::FunctionPtr>& functions, const std::vector<Producer>& producers,
                      const PlacedFunctions& placed);

/// Throws ScheduleError if a tensor with store_in(Constant) does not fit a constant buffer of
/// `constant_bytes`.
void check_constant(const std::string& input, const StoredTensor& stored, const Expr& elements,
                    std::int64_t constant_bytes);

/// Throws ScheduleError if a Func has half_arithmetic() and the device is known to have none.
void check_half_arithmetic(const std::vector<Producer>& producers, const LowerOptions& options);

}  // namespace tensordsl::lower
