// Checks the parts of a Program, each by itself.
#pragma once

#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Checks the parts of a program. Throws ParseError on tensors that do not fit their slots, on arguments that
/// are not tensors of the kind that the kernel takes, and on names that are used twice. Needs: valid indices.
/// check_program() then follows the steps of a run.
void check_parts(const Program& program);

}  // namespace tensordsl::runtime
