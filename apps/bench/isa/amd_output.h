// Assembly of LLVM's compiler for AMD's GPUs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// Returns the kernels of an assembly file. Its comments tell the loop of each block:
///
///   conv_kernel:                          ; @conv_kernel
///   .LBB0_1:                              ;   in Loop: Header=BB0_2 Depth=1
///       v_fmac_f32_e32 v3, v8, v9
///   .LBB0_2:                              ; =>This Inner Loop Header: Depth=1
///   ; NumVgprs: 24                        figures after the code
///       .vgpr_spill_count: 0              and after all kernels
std::vector<MachineCode> read_amd(const std::vector<std::string>& lines);

/// Returns the processor time that the compiler tells in this line; none in another line.
///
///   clang: output=x.s, total=237.288 ms, user=193.045 ms, mem=108664 Kb
std::optional<double> process_seconds(const std::string& line);

}  // namespace tensordsl::bench
