#include "backends/bundled_backends.h"

#include "backends/llvm/emit/llvm_backend.h"
#include "backends/opencl/emit/opencl_backend.h"

namespace tensordsl {

Backends bundled_backends() {
  return {std::make_shared<opencl::OpenClBackend>(), std::make_shared<llvm_ir::LlvmBackend>()};
}

}  // namespace tensordsl
