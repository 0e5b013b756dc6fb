// Checks the parts of a Program, each by itself.
#pragma once

#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Throws ParseError on tensors that do not fit their slots, on arguments that are not tensors as the kernel
/// takes them, on names that are taken twice. Needs: indices that were checked. check_program() follows the
/// steps of a run after that.
void check_parts(const Program& program);

}  // namespace tensordsl::runtime
