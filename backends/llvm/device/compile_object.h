// Compiles a module's text to machine code for this processor.
#pragma once

#include <string>

#include "backends/llvm/device/llvm_library.h"
#include "runtime/device/program_cache.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl::host {

/// Processor for which code is compiled.
struct Processor {
  std::string triple, name, features;
  int vector_bits = 128;
};

Processor this_processor(const LlvmLibrary& llvm);

/// Returns an object file with the kernel's entry. Threads may call it at once. Throws DeviceError that names
/// the kernel and has LLVM's error.
runtime::ProgramBinary compile_object(const LlvmLibrary& llvm, const Processor& processor,
                                      const KernelSource& kernel);

}  // namespace tensordsl::host
