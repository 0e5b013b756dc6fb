#include "codegen/backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tensordsl/error.h"

namespace tensordsl {

const Backend& choose_backend(const Backends& backends, const DeviceInfo* device) {
  if (backends.empty()) throw Error("Pipeline: no backend given; pass at least one");
  if (device == nullptr || device->backend.empty()) return *backends.front();
  std::vector<std::string> names;
  for (const auto& backend : backends) {
    if (backend->name() == device->backend) return *backend;
    names.push_back(backend->name());
  }
  throw DeviceError(
      fmt::format("Pipeline: {} runs kernels of backend \"{}\", but the pipeline has backend \"{}\"; pass "
                  "the device's backend to Pipeline, or open another device",
                  device->name, device->backend, fmt::join(names, "\", \"")));
}

}  // namespace tensordsl
