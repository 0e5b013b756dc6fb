// for x { for y { out(.. h ..) } }   ->
// for x { alloc h { first rows of h  for y { the next row of h  out(.. h ..) } } }
#pragma once

#include <string>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Returns `stored_in`, the body of the loop that store_at names, with the Func computed in its loops called
/// `loop`, except for what earlier iterations have computed. `around` has the statements around it, outermost
/// first. Throws ScheduleError, which starts with `call`, if the Func cannot be kept that long.
ir::Stmt slide_in_body(const Producer& p, const ir::Stmt& stored_in, const std::vector<ir::Stmt>& around,
                       const std::string& loop, const std::string& call);

}  // namespace tensordsl::lower
