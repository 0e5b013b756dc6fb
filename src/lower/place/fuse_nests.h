// for g.y in [0, 8) { g }   for f.y in [0, 6) { f }   ->   for g.y in [0, 8) { g  if (g.y < 6) { f } }
#pragma once

#include <string>

#include "lower/stages.h"

namespace tensordsl::lower {

/// The nest `other` with the body of `nest` behind its own, inside the loops of `other` down to `axis`.
/// Neither reads what the other writes. Throws ScheduleError, which starts with `call`, if their loops do not
/// fit.
ir::Stmt fused_nests(const ir::Stmt& other, const ir::Stmt& nest, const std::string& axis,
                     const std::string& call);

}  // namespace tensordsl::lower
