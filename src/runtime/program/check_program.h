// Checks that the parts of a Program are consistent, for files of any origin.
#pragma once

#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Checks the steps of a run. Throws ParseError if a size names something other than a Param or a count that
/// is known at that step, if a count, a host step or an output uses a tensor that was never written, or if an
/// input or a constant is written. Needs: indices that are in their lists.
void check_program(const Program& program);

}  // namespace tensordsl::runtime
