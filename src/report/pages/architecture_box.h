// The parts of a device as a drawing.
#pragma once

#include "report/page.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::report {

/// Draws one compute unit with its ALUs, registers and first caches, the caches after it, and memory, from
/// top to bottom; unknown figures have a question mark. Source: Romou (MobiCom 2022), figure 9.
Box architecture_box(const HwProfile& profile);

}  // namespace tensordsl::report
