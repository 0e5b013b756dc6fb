#include "backends/ir/emit/ir_backend.h"

#include "codegen/describe_kernel.h"
#include "ir/text/print.h"

namespace tensordsl::ir_text {

KernelSource IrBackend::emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                             const DeviceInfo*) const {
  codegen::CNames names([](const std::string&) { return false; });
  KernelSource source = describe_kernel(kernel, taken_entries, names);
  source.text = ir::print(kernel.body);
  return source;
}

}  // namespace tensordsl::ir_text
