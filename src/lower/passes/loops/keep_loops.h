// for k in [0, 3) { t = a[k]:f32x4 ... }   ->   for k in [0, 3) kept { ... }
// Needs: finished loops, with common reads named. Gives: loops that the device's compiler must not unroll. It
// would begin with the reads of all iterations, whose results take more registers than `registers`. A loop
// with few reads in an iteration stays as it is: it has to unroll to hide how long a read takes.
// Where reads are not gathered, a loop that stores is kept if its addresses take too many registers. A loop
// that only reads uses the registers of an address again: it is kept if the kernel leaves too few registers
// to read for the next iteration ahead.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// `registers` is Target::loop_registers; 0: the statement stays as it is. `gathers_reads` is
/// Target::gathers_reads. `live`: live_registers() of the
/// kernel, which counts only where reads are not gathered.
ir::Stmt keep_loops(const ir::Stmt& stmt, int registers, bool gathers_reads, int live);

}  // namespace tensordsl::lower
