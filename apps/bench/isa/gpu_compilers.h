// Compilers of GPUs that are not in this machine: what they are called with, and where they are.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/bench/isa/isa_kernel.h"
#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// A family of instruction sets, whose compiler has a text of its own.
enum class GpuFamily : std::uint8_t { Adreno, Mali, Amd };

struct Gpu {
  std::string_view name;  ///< value of --gpu
  GpuFamily family;
  std::string_view id;  ///< name of the GPU for the compiler: FD_GPU_ID, PAN_GPU_ID in hexadecimal, -mcpu
  std::string_view profile;  ///< bundled profile for which models are compiled
  std::string_view about;    ///< marketing name
};

std::span<const Gpu> known_gpus();
/// Throws Error that lists the known ones.
const Gpu& gpu_of(const std::string& name);

/// Returns the folder that `scripts/setup --mobile-compilers` fills: `given`, or build/mobile-compilers of
/// the source tree. Throws Error with that command if the folder has no compilers.
std::string compilers_folder(const std::string& given);

/// Compiles the kernels' files, a few at a time in a process of its own. A file that the compiler refuses has
/// its messages in `error`. Throws Error if the compiler cannot be started or ends early.
std::vector<CompiledFile> compile_for(const Gpu& gpu, const std::string& folder,
                                      const std::vector<IsaKernel>& kernels);

}  // namespace tensordsl::bench
