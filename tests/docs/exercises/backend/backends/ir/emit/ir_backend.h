// Kernels as the IR that they are lowered to, for people to read: no device runs them.
#pragma once

#include "codegen/backend.h"

namespace tensordsl::ir_text {

class IrBackend final : public Backend {
 public:
  std::string name() const override { return "ir"; }
  KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                    const DeviceInfo* device) const override;
};

}  // namespace tensordsl::ir_text
