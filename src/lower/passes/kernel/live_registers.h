// Register pressure of a kernel: values that are live at once, not those that are declared.
#pragma once

#include "lower/lowered.h"

namespace tensordsl::lower {

/// Returns the most 32-bit registers that are live at once: variables that are read later, indices of loops,
/// and temporaries of an expression. An estimate: drivers move loads and keep addresses of
/// their own.
/// Arrays in private memory do not count.
int live_registers(const LoweredKernel& kernel);

}  // namespace tensordsl::lower
