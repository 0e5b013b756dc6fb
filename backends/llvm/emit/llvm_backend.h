// Kernels for the processor of this machine, as LLVM's assembly language. To write it no LLVM is needed.
#pragma once

#include "codegen/backend.h"

namespace tensordsl::llvm_ir {

class LlvmBackend final : public Backend {
 public:
  std::string name() const override;
  std::vector<int> vector_widths() const override;
  KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                    const DeviceInfo* device) const override;
};

}  // namespace tensordsl::llvm_ir
