// The loops of a kernel as a picture:
//
//   kernel conv
//     block 0: xo in [0, 16)
//       local tile: f32 [64]
//         thread 0: x in [0, 64)
//           tile(...) = ... input(...)
//         thread 0: xi in [0, 64)
//           conv(...) = ... tile(...), weights(...)
#pragma once

#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl {

/// Draws `nest`, the loops as the schedule makes them, before work-items are mapped.
std::string draw_loop_nest(const std::string& kernel, const ir::Stmt& nest);

}  // namespace tensordsl
