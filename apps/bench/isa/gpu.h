// GPUs whose compilers are at hand, and what these compile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

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

/// Returns the GPUs of gpus.json in their order.
std::vector<Gpu> known_gpus();

/// Returns the GPU of this name. Throws Error that lists those that there are.
Gpu gpu_of(const std::string& name);

/// A file of OpenCL C.
struct SourceFile {
  std::filesystem::path path;
  std::string options;  ///< options for the compiler
};

}  // namespace tensordsl::bench
