// alloc acc: f32 [16] private { store acc[ramp(8, 1, 8)] = ... acc[ramp(0, 1, 8)] }   ->
//   alloc acc.0: f32x8 [1] register { alloc acc.1: f32x8 [1] register { store acc.1[0] = ... acc.0[0] } }
// Needs: unrolled loops, simplified addresses.  Gives: every private array whose indices are all constant as
// named vector variables, never an indexed array; variables that are never read or written are removed.
// Arrays with an index that varies are not changed.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt scalarize_register_tiles(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
