#include "backends/opencl/device/check_sub_groups.h"

#include <fmt/format.h>

#include <array>

#include "backends/opencl/device/check.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

// Of cl_khr_subgroups, whose header is not everywhere.
constexpr cl_uint kMaxSubGroupSizeForNdrange = 0x2033;
using GetKernelSubGroupInfo = cl_int(CL_API_CALL*)(cl_kernel, cl_device_id, cl_uint, std::size_t, const void*,
                                                   std::size_t, void*, std::size_t*);

GetKernelSubGroupInfo query_of(cl_device_id device) {
  cl_platform_id platform = nullptr;
  check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr), "clGetDeviceInfo");
  for (const char* name : {"clGetKernelSubGroupInfoKHR", "clGetKernelSubGroupInfo"}) {
    if (void* address = clGetExtensionFunctionAddressForPlatform(platform, name))
      return reinterpret_cast<GetKernelSubGroupInfo>(address);
  }
  return nullptr;
}

}  // namespace

void check_sub_groups(cl_kernel kernel, cl_device_id device, const KernelSource& source) {
  if (source.sub_group_size == 0) return;
  const GetKernelSubGroupInfo query = query_of(device);
  if (query == nullptr) {
    throw DeviceError(
        fmt::format("{}: the driver does not tell the size of its sub-groups, and gpu_lanes counts on {}; "
                    "use store_in(Local)",
                    source.entry, source.sub_group_size));
  }
  std::array<std::size_t, 3> group{};
  for (std::size_t d = 0; d < 3; ++d) group[d] = static_cast<std::size_t>(source.launch.group_size[d]);
  std::size_t found = 0;
  check(query(kernel, device, kMaxSubGroupSizeForNdrange, sizeof group, group.data(), sizeof found, &found,
              nullptr),
        "clGetKernelSubGroupInfo", source.entry);
  if (found == static_cast<std::size_t>(source.sub_group_size)) return;
  throw DeviceError(
      fmt::format("{}: its sub-groups have {} work-items on this device, and gpu_lanes was given {}; split "
                  "the reduction by {}",
                  source.entry, found, source.sub_group_size, found));
}

}  // namespace tensordsl::opencl
