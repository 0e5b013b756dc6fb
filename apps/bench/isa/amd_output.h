// Assembly of LLVM's compiler for AMD's GPUs.
#pragma once

#include <string>
#include <vector>

#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// Returns the kernels of an assembly file.
///
///   conv_kernel:                          the kernel's name
///   .LBB0_2:                              a label
///   v_fmac_f32_e32 v3, v8, v9             an instruction
///   s_cbranch_scc1 .LBB0_2                backward: a loop
///   ; NumVgprs: 24                        figures after the code
std::vector<MachineCode> read_amd(const std::vector<std::string>& lines);

}  // namespace tensordsl::bench
