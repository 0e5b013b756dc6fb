// tdsl_device_*, tdsl_list_devices
#include <fmt/format.h>

#include <cstdlib>

#include "backends/opencl/device/opencl_driver.h"
#include "backends/opencl/loader/opencl_library.h"
#include "base/lower_case.h"
#include "c_api/guarded.h"
#include "c_api/handles.h"
#include "c_api/no_opencl_error.h"
#include "runtime/device/driver.h"
#include "tensordsl/opencl.h"

using namespace tensordsl;
using namespace tensordsl::c_api;

namespace {

runtime::Drivers drivers() { return {std::make_shared<opencl::OpenClDriver>()}; }

/// Refuses the host's processor, which the tool runs kernels on through LLVM: this library has OpenCL alone.
void refuse_host(const std::string& name, const char* source) {
  if (lower_case(name) != "host") return;
  throw DeviceError(fmt::format(
      "tdsl_device_open: {}\"{}\" is no device of the runtime library, which runs kernels through "
      "OpenCL; name one by gpu, cpu, PLATFORM:DEVICE or a part of its name",
      source, name));
}

void require_opencl() {
  const auto& library = opencl::OpenClLibrary::instance();
  if (!library.is_there()) throw NoOpenClError(library.problem());
}

}  // namespace

tdsl_status tdsl_device_open(const char* name, tdsl_device** device) {
  if (device != nullptr) *device = nullptr;
  return guarded([&] {
    require(device, "tdsl_device_open", "device");
    require_opencl();
    if (runtime::find_devices(drivers()).empty())
      throw NoOpenClError(
          "no OpenCL device found; install a driver (on Debian: apt-get install pocl-opencl-icd)");
    const char* variable = std::getenv("TENSORDSL_DEVICE");
    const std::string spec = name == nullptr ? "" : name, environment = variable == nullptr ? "" : variable;
    if (spec.empty()) refuse_host(environment, "TENSORDSL_DEVICE=");
    refuse_host(spec, "");
    *device = new tdsl_device{runtime::open_device(drivers(), spec, environment)};
  });
}

tdsl_status tdsl_device_open_queue(_cl_context* context, _cl_device_id* id, _cl_command_queue* queue,
                                   tdsl_device** device) {
  if (device != nullptr) *device = nullptr;
  return guarded([&] {
    require(context, "tdsl_device_open_queue", "context");
    require(id, "tdsl_device_open_queue", "id");
    require(queue, "tdsl_device_open_queue", "queue");
    require(device, "tdsl_device_open_queue", "device");
    require_opencl();
    *device = new tdsl_device{opencl::device_of(context, id, queue)};
  });
}

void tdsl_device_close(tdsl_device* device) { delete device; }

const char* tdsl_device_name(const tdsl_device* device) {
  return device == nullptr ? "" : device->device->info().name.c_str();
}

tdsl_status tdsl_list_devices(void (*each)(const char* spec, const char* name, void* user), void* user) {
  return guarded([&] {
    require(reinterpret_cast<const void*>(each), "tdsl_list_devices", "each");
    require_opencl();
    for (const runtime::FoundDevice& device : runtime::find_devices(drivers())) {
      const std::string spec = fmt::format("{}:{}", device.info.platform_number, device.info.device_number);
      each(spec.c_str(), device.info.name.c_str(), user);
    }
  });
}
