// for x { out(.. h ..) }   ->   for x { alloc h { nests of h  out(.. h ..) } }
#pragma once

#include <string>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// `body` with the Func computed in front of it, as far as it reads it; itself if it does not, and without
/// its reads if they never happen. `path`: what stands around it, outermost first. Where a Tail::RoundUp
/// computes more than is read, the Func is added to `placed.run_over`. Throws ScheduleError, which starts
/// with `call`, if it cannot be computed there.
ir::Stmt place_in_body(const Producer& p, const ir::Stmt& body, const std::vector<ir::Stmt>& path,
                       const std::string& call, PlacedFunctions& placed);

/// Notes that a Tail::RoundUp computes more than the box.
void note_run_over(const std::string& function, const Box& box, const Box& rounded, PlacedFunctions& placed);

}  // namespace tensordsl::lower
