// Checks of directives against the whole pipeline and the device.
#pragma once

#include <vector>

#include "lower/lower.h"
#include "lower/lowered.h"
#include "lower/stages.h"

namespace tensordsl::lower {

/// Checks that each Func has the storage and the kernels that its directives are for. An inlined Func has
/// neither, one computed inside a consumer has no kernel, and one computed at the root is in global memory.
/// Throws ScheduleError otherwise.
void check_directives(const std::vector<ir::FunctionPtr>& functions, const std::vector<Producer>& producers,
                      const PlacedFunctions& placed);

/// Checks that a tensor with store_in(Constant) fits a constant buffer of `constant_bytes`. Throws
/// ScheduleError otherwise.
void check_constant(const std::string& input, const StoredTensor& stored, const Expr& elements,
                    std::int64_t constant_bytes);

/// Checks Funcs with half_arithmetic(). Throws ScheduleError if there is one and the device is known not to
/// have it.
void check_half_arithmetic(const std::vector<Producer>& producers, const LowerOptions& options);

}  // namespace tensordsl::lower
