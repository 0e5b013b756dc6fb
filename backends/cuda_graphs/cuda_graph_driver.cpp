#include "backends/cuda_graphs/cuda_graph_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backends/cuda_graphs/cuda_device.h"

namespace tensordsl::cuda {
namespace {

/// Returns CUDA's number of a device with cl_nv_device_attribute_query, found by its PCI address.
std::optional<DeviceNumber> number_of(const Library& library, cl_device_id device) {
  constexpr cl_device_info kBus = 0x4008, kSlot = 0x4009, kDomain = 0x400A;  // CL_DEVICE_PCI_.._NV
  const auto ask = [&](cl_device_info what) {
    cl_uint value = 0;
    return clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : 0;
  };
  const std::string place = fmt::format("{:04x}:{:02x}:{:02x}.0", ask(kDomain), ask(kBus), ask(kSlot));
  DeviceNumber number = 0;
  if (library.device_by_pci_bus_id(&number, place.c_str()) != 0) return std::nullopt;
  return number;
}

DeviceInfo info_of(DeviceInfo info, int platform, int number) {
  constexpr std::int64_t kAlignment = 256;  // alignment of cuMemAlloc
  info.platform = "CUDA graphs of " + info.platform;
  info.platform_number = platform;
  info.device_number = number;
  info.buffer_alignment_bytes = kAlignment;
  // OpenCL passes constant memory as an offset, CUDA as an address.
  info.constant_buffer_bytes = 0;
  info.has_images = false;
  info.image_limits = {};
  return info;
}

}  // namespace

std::vector<runtime::FoundDevice> CudaGraphDriver::devices(int first_platform) const {
  std::vector<runtime::FoundDevice> found;
  const auto library = Library::load();
  if (!library || library->init(0) != 0) return found;
  for (opencl::ListedDevice& device : opencl::list_devices()) {
    if (std::ranges::count(device.info.extensions, "cl_nv_device_attribute_query") == 0) continue;
    const auto number = number_of(*library, device.id);
    if (!number) continue;
    DeviceInfo info = info_of(device.info, first_platform, static_cast<int>(found.size()));
    found.push_back({info, [=, device = std::move(device)] {
                       const runtime::ProgramCache cache(runtime::ProgramCache::folder_of_environment());
                       return std::make_shared<CudaDevice>(
                           std::make_shared<const Session>(library, *number),
                           std::make_unique<opencl::OpenClDevice>(device, cache), info);
                     }});
  }
  return found;
}

}  // namespace tensordsl::cuda
