#include "backends/bundled_backends.h"

#include "backends/opencl/emit/opencl_backend.h"

namespace tensordsl {

Backends bundled_backends() { return {std::make_shared<opencl::OpenClBackend>()}; }

}  // namespace tensordsl
