#include "backends/opencl/device/device_list.h"

#include <mutex>

#include "backends/opencl/device/check.h"
#include "backends/opencl/device/device_info.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

constexpr cl_int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR, of the ICD loader

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  const cl_int status = clGetPlatformIDs(0, nullptr, &count);
  if (status == kNoPlatform || (status == CL_SUCCESS && count == 0)) return {};
  check(status, "clGetPlatformIDs");
  std::vector<cl_platform_id> ids(count);
  check(clGetPlatformIDs(count, ids.data(), nullptr), "clGetPlatformIDs");
  return ids;
}

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_device_id> ids(count);
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr) != CL_SUCCESS) return {};
  return ids;
}

}  // namespace

std::vector<ListedDevice> list_devices() {
  // The loader reads the drivers in its first call, and not every loader supports two first calls at once.
  static std::mutex loading;
  const std::lock_guard lock(loading);
  std::vector<ListedDevice> found;
  int platform_number = 0;
  for (cl_platform_id platform : platforms()) {
    int device_number = 0;
    for (cl_device_id id : devices_of(platform)) {
      try {
        ListedDevice device{id, platform_version(platform), device_info(platform, id)};
        device.info.platform_number = platform_number;
        device.info.device_number = device_number;
        found.push_back(std::move(device));
      } catch (const DeviceError&) {
        // A device whose properties cannot be read must not hide the others.
      }
      ++device_number;
    }
    ++platform_number;
  }
  return found;
}

}  // namespace tensordsl::opencl
