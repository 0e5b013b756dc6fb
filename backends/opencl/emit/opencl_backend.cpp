#include "backends/opencl/emit/opencl_backend.h"

#include <algorithm>

#include "backends/opencl/emit/emit_opencl.h"
#include "ir/nodes/dot_product.h"

namespace tensordsl::opencl {
namespace {

/// Sub-groups are known to OpenCL C 2.0, and 3.0, which need not know 2.0; and to 1.2 with an extension.
std::string options_of(const std::string& device_version) {
  return device_version.starts_with("OpenCL 3")   ? "-cl-std=CL3.0"
         : device_version.starts_with("OpenCL 1") ? "-cl-std=CL1.2"
                                                  : "-cl-std=CL2.0";
}

bool has_dot_product(const ir::Stmt& body) {
  bool found = false;
  if (!body.defined()) return found;
  ir::visit(body, [&](const ir::Stmt& s) {
    for (const Expr& e : s->exprs) {
      ir::visit(e, [&](const Expr& part) {
        found = found || ir::is_dot_product(*part);
        return !found;
      });
    }
    return !found;
  });
  return found;
}

/// Inline PTX, and no extension of OpenCL for it.
bool has_dp4a(const DeviceInfo& device) {
  const auto has = [&](const char* extension) {
    return std::ranges::find(device.extensions, extension) != device.extensions.end();
  };
  return device.has_integer_dot_product && has("cl_nv_device_attribute_query") &&
         !has("cl_khr_integer_dot_product");
}

}  // namespace

std::string OpenClBackend::name() const { return kOpenClBackend; }

KernelSource OpenClBackend::emit(const lower::LoweredKernel& kernel,
                                 const std::set<std::string>& taken_entries, const DeviceInfo* device) const {
  KernelSource source = opencl::emit(kernel, taken_entries, device != nullptr && has_dp4a(*device));
  if (device == nullptr) return source;
  // Only OpenCL C 3.0 has the function for dot products.
  const bool has_dots = device->version.starts_with("OpenCL 3") && has_dot_product(kernel.body);
  if (has_dots || source.sub_group_size > 0) source.options = options_of(device->version);
  return source;
}

}  // namespace tensordsl::opencl
