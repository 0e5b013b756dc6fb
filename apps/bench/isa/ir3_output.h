// Text of Mesa's compiler for Adreno, ir3, with IR3_SHADER_DEBUG=cs.
#pragma once

#include <string_view>
#include <vector>

#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// Returns the kernels of the lines that the compiler printed for one file. NIR before them is skipped.
///
///   impl __wrapped_NAME {                      the kernel's name
///   l48:                                       a label
///   (ss)(rpt1)mad.f32 r9.y, r13.z, ..          an instruction
///   jump #l48                                  backward: a loop
///   ; CL prog 1/1: .. 24 full, ..              registers of four numbers
std::vector<MachineCode> read_ir3(const std::vector<std::string>& lines);

}  // namespace tensordsl::bench
