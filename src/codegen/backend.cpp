#include "codegen/backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tensordsl/error.h"

namespace tensordsl {

const Backend& choose_backend(const Backends& backends, const DeviceInfo* device) {
  if (backends.empty()) throw Error("Pipeline: no backend writes its kernels; pass one at least");
  if (device == nullptr || device->backend.empty()) return *backends.front();
  std::vector<std::string> names;
  for (const auto& backend : backends) {
    if (backend->name() == device->backend) return *backend;
    names.push_back(backend->name());
  }
  throw DeviceError(
      fmt::format("Pipeline: {} runs kernels of the backend \"{}\", and the pipeline has \"{}\"; pass that "
                  "backend to Pipeline, or open another device",
                  device->name, device->backend, fmt::join(names, "\", \"")));
}

}  // namespace tensordsl
