// How many registers a kernel's text asks for: what is live at once, not what is declared.
#pragma once

#include "lower/lowered.h"

namespace tensordsl::lower {

/// The most 32-bit registers that a work-item needs at one place of the kernel: variables whose values are
/// still read behind it, indices of loops, and what the expression there holds on the way. An estimate:
/// drivers move loads and keep addresses of their own. Arrays in private memory are not among them.
int live_registers(const LoweredKernel& kernel);

}  // namespace tensordsl::lower
