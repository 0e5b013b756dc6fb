// if (thread0 < 7) { ... barrier local ... }   ->   ScheduleError
// Needs: the body of one work-item, simplified. Gives: nothing; throws ScheduleError if a test or the ends of
// a loop around a barrier, or an operation of a sub-group, may differ between the work-items of a group,
// where the others would wait forever.
#pragma once

#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

void check_barriers(const ir::Stmt& stmt, const std::string& function);

}  // namespace tensordsl::lower
