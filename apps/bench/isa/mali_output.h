// Text of Mesa's compilers for Mali, Bifrost and Valhall, with BIFROST_MESA_DEBUG=shaders,shaderdb.
#pragma once

#include <string_view>
#include <vector>

#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// Returns the kernels of the lines that the compiler printed for one file, named as in `names`, in order.
/// Intermediate code before them is skipped. Bifrost has clauses of tuples of two instructions:
///
///   clause_14:                                    a label
///       *FMA.f32 t0, r52, r44, r24                one tuple
///       +JUMP t1, clause_14                       backward: a loop
///
/// Valhall has one instruction in a line, and branches by a number of instructions:
///
///      BRANCHZ.eq.reconverge 0x0, offset:-144     backward: a loop
///
/// Both end in a line of figures:
///
///   SHADER-DB: MESA_SHADER_KERNEL shader: 191 inst, .., 1 threads, 1 loops, 0:0 spills:fills
///
/// Cycles are those of a work-item by the rates that SHADER-DB uses, as of Mesa 25.0: Bifrost 24 tuples, 2
/// texture reads or 1 access of memory in a cycle; Valhall 64 instructions of arithmetic, 4 texture reads or
/// 1 access of memory.
std::vector<MachineCode> read_mali(const std::vector<std::string>& lines,
                                   const std::vector<std::string>& names);

}  // namespace tensordsl::bench
