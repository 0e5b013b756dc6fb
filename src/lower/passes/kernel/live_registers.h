// Register pressure of a kernel: values that are live at once, not those that are declared.
#pragma once

#include "lower/lowered.h"

namespace tensordsl::lower {

/// Returns the most 32-bit registers that are live at once: variables that are read later, indices of loops,
/// and temporaries of an expression. An estimate: drivers move loads and keep addresses of
/// their own.
/// Arrays in private memory do not count.
/// `gathers_reads`: the device's compiler unrolls short loops and begins with all reads of a run of
/// statements (HwProfile::gathers_reads()); then their results are live at once, with the addresses of all
/// that the run reads and stores.
int live_registers(const LoweredKernel& kernel, bool gathers_reads = false);

}  // namespace tensordsl::lower
