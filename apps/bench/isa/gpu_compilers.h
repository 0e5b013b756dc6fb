// Compilers of GPUs that are not in this machine: what they are called with, and where they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/bench/isa/isa_kernel.h"
#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// Compilers, each of which prints machine code in a text of its own.
enum class IsaCompiler : std::uint8_t { Ir3, Panfrost, Llvm };

struct Gpu {
  std::string name;  ///< value of --gpu
  IsaCompiler compiler = IsaCompiler::Llvm;
  std::string id;       ///< name of the GPU for its compiler: FD_GPU_ID, PAN_GPU_ID in hexadecimal, -mcpu
  std::string profile;  ///< bundled profile for which models are compiled
  std::string about;    ///< marketing name
};

/// Returns the GPU of this name in gpus.json. Throws Error that lists those that there are.
Gpu gpu_of(const std::string& name);

/// Returns the folder that `scripts/setup --mobile-compilers` fills: `given`, or build/mobile-compilers of
/// the source tree. Throws Error with that command if the folder has no compilers.
std::string compilers_folder(const std::string& given);

/// Compiles the kernels' files, a few at a time in a process of its own. A file that the compiler refuses has
/// its messages in `error`. Throws Error if the compiler cannot be started or ends early.
std::vector<CompiledFile> compile_for(const Gpu& gpu, const std::string& folder,
                                      const std::vector<IsaKernel>& kernels);

}  // namespace tensordsl::bench
