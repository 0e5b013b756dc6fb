#include "backends/opencl/emit/opencl_backend.h"

#include "backends/opencl/emit/emit.h"

namespace tensordsl::opencl {
namespace {

/// Sub-groups are known to OpenCL C 2.0, and 3.0, which need not know 2.0; and to 1.2 with an extension.
std::string sub_group_options(const std::string& device_version) {
  return device_version.starts_with("OpenCL 3")   ? "-cl-std=CL3.0"
         : device_version.starts_with("OpenCL 1") ? "-cl-std=CL1.2"
                                                  : "-cl-std=CL2.0";
}

}  // namespace

std::string OpenClBackend::name() const { return "opencl"; }

KernelSource OpenClBackend::emit(const lower::LoweredKernel& kernel,
                                 const std::set<std::string>& taken_entries, const DeviceInfo* device) const {
  KernelSource source = opencl::emit(kernel, taken_entries);
  if (device != nullptr && source.sub_group_size > 0) source.options = sub_group_options(device->version);
  return source;
}

}  // namespace tensordsl::opencl
