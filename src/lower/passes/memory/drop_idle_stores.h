// let v = h[i]  { a[i] = a[i] + x   h[i] = v }   ->   { a[i] = a[i] + x }
// Needs: nothing.  Gives: no store of a value that its place has held since it was read, as of a tuple's
// components that an iteration leaves as they are.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt drop_idle_stores(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
