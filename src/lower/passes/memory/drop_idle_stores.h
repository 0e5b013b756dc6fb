// let v = h[i]  { a[i] = a[i] + x   h[i] = v }   ->   { a[i] = a[i] + x }
// Needs: nothing.  Gives: no store of a value that the element has held since it was read, such as components
// of a tuple that an iteration leaves unchanged.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt drop_idle_stores(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
