// LLVM's compiler for AMD's GPUs, with their library of OpenCL's functions.
#pragma once

#include <filesystem>

#include "apps/bench/isa/gpu.h"
#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// Compiles a file with the links that scripts/setup makes in `folder`; `work` gets the assembly. Throws
/// Error if the compiler is not there.
CompiledFile compile_with_llvm(const Gpu& gpu, const std::filesystem::path& folder,
                               const std::filesystem::path& work, const SourceFile& file);

}  // namespace tensordsl::bench
