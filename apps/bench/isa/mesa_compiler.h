// Mesa's compilers for Adreno and Mali, in an emulator, without such a GPU.
#pragma once

#include <filesystem>
#include <vector>

#include "apps/bench/isa/gpu.h"
#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// Builds what the compiler keeps of OpenCL's library in `folder`, unless an earlier call did so: it takes
/// seconds. Throws Error if the compiler does not work.
void prepare_mesa(const Gpu& gpu, const std::filesystem::path& folder, const std::filesystem::path& work);

/// Compiles files in one process, which writes to the empty folder `work`. Mesa prints no machine code of a
/// kernel that its cache holds: each process gets a copy of the cache of prepare_mesa. Throws Error if the
/// process ends early.
std::vector<CompiledFile> compile_with_mesa(const Gpu& gpu, const std::filesystem::path& folder,
                                            const std::filesystem::path& work,
                                            const std::vector<SourceFile>& files);

}  // namespace tensordsl::bench
