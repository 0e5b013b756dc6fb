// OpenCL C as a Backend.
#pragma once

#include "codegen/backend.h"

namespace tensordsl::opencl {

class OpenClBackend final : public Backend {
 public:
  std::string name() const override;
  KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                    const DeviceInfo* device) const override;
};

}  // namespace tensordsl::opencl
