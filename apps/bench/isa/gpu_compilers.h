// Compilers of GPUs that are not in this machine.
#pragma once

#include <string>
#include <vector>

#include "apps/bench/isa/gpu.h"
#include "apps/bench/isa/isa_kernel.h"
#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// Returns the folder that `scripts/setup --mobile-compilers` fills: `given`, or build/mobile-compilers of
/// the source tree. Throws Error with that command if the folder has no compilers.
std::string compilers_folder(const std::string& given);

/// Compiles the kernels, a few at a time in a process of its own; those of equal text and options once. A
/// kernel that the compiler refuses has its messages in `error`. Throws Error if the compiler cannot be
/// started or ends early.
std::vector<CompiledFile> compile_for(const Gpu& gpu, const std::string& folder,
                                      const std::vector<IsaKernel>& kernels);

}  // namespace tensordsl::bench
