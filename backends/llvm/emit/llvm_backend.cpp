#include "backends/llvm/emit/llvm_backend.h"

#include "backends/llvm/emit/emit_llvm.h"

namespace tensordsl::llvm_ir {

std::string LlvmBackend::name() const { return kLlvmBackend; }

std::vector<int> LlvmBackend::vector_widths() const { return {2, 3, 4, 8, 16, 32, 64}; }

KernelSource LlvmBackend::emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                               const DeviceInfo*) const {
  return llvm_ir::emit(kernel, taken_entries);
}

}  // namespace tensordsl::llvm_ir
