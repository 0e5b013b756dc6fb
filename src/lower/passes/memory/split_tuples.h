// store best[x].0 = r; store best[x].1 = in[r]   ->   store best.0[x] = r; store best.1[x] = in[r]
// store total[] = total[] + in[r]   ->   store total[0] = total[0] + in[r]
// Needs: nests as place_functions leaves them.  Gives: each component of a tuple as a buffer of its own, and
// an index for buffers without dimensions; later passes know of neither.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt split_tuples(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
