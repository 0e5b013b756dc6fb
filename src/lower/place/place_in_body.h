// for x { out(.. h ..) }   ->   for x { alloc h { nests of h  out(.. h ..) } }
#pragma once

#include <string>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Returns `body` after a computation of the part of the Func that it reads; `body` itself if it reads
/// nothing, and without the reads if they never happen. `path` has the statements around it, outermost first.
/// Adds the Func to `placed.run_over` where a Tail::RoundUp computes more than is read. Throws ScheduleError,
/// which starts with `call`, if the Func cannot be computed there.
ir::Stmt place_in_body(const Producer& p, const ir::Stmt& body, const std::vector<ir::Stmt>& path,
                       const std::string& call, PlacedFunctions& placed);

/// Notes that a Tail::RoundUp computes more than the box.
void note_run_over(const std::string& function, const Box& box, const Box& rounded, PlacedFunctions& placed);

}  // namespace tensordsl::lower
