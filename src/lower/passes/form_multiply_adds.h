// a*b + c   ->   mad(a, b, c), for f32
// Needs: nothing.  Gives: multiply-adds that the device may fuse; the sum is rounded once or twice, as it likes.
#pragma once

#include "ir/stmt.h"

namespace tensordsl::lower {

ir::Stmt form_multiply_adds(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
