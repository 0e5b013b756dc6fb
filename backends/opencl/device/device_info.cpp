#include "backends/opencl/device/device_info.h"

#include <algorithm>
#include <ranges>

#include "backends/opencl/device/check.h"

namespace tensordsl::opencl {
namespace {

/// Drivers pad names with blanks and count the closing zero.
std::string trimmed(std::string text) {
  const auto is_padding = [](char c) { return c == '\0' || c == ' '; };
  while (!text.empty() && is_padding(text.back())) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_padding));
  return text;
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  check(clGetPlatformInfo(platform, what, 0, nullptr, &size), "clGetPlatformInfo");
  std::string text(size, '\0');
  check(clGetPlatformInfo(platform, what, size, text.data(), nullptr), "clGetPlatformInfo");
  return trimmed(std::move(text));
}

std::string device_text(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  check(clGetDeviceInfo(device, what, 0, nullptr, &size), "clGetDeviceInfo");
  std::string text(size, '\0');
  check(clGetDeviceInfo(device, what, size, text.data(), nullptr), "clGetDeviceInfo");
  return trimmed(std::move(text));
}

template <typename T>
T device_value(cl_device_id device, cl_device_info what) {
  T value{};
  check(clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

std::array<std::int64_t, 3> max_group_sizes(cl_device_id device) {
  std::vector<std::size_t> sizes(
      std::max(3u, device_value<cl_uint>(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)));
  check(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes.size() * sizeof(std::size_t),
                        sizes.data(), nullptr),
        "clGetDeviceInfo");
  return {static_cast<std::int64_t>(sizes[0]), static_cast<std::int64_t>(sizes[1]),
          static_cast<std::int64_t>(sizes[2])};
}

/// Returns the sizes of cl_intel_required_subgroup_size, whose header is not everywhere.
std::vector<int> sub_group_sizes(cl_device_id device) {
  constexpr cl_device_info kSizes = 0x4108;
  std::size_t bytes = 0;
  check(clGetDeviceInfo(device, kSizes, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::vector<std::size_t> sizes(bytes / sizeof(std::size_t));
  check(clGetDeviceInfo(device, kSizes, bytes, sizes.data(), nullptr), "clGetDeviceInfo");
  return {sizes.begin(), sizes.end()};
}

/// Returns a value of OpenCL 3.0, whose constant the headers of older versions lack; drivers of older
/// versions refuse the query.
int preferred_group_multiple(cl_device_id device) {
  constexpr cl_device_info kMultiple = 0x1067;
  std::size_t multiple = 0;
  const bool is_told = clGetDeviceInfo(device, kMultiple, sizeof multiple, &multiple, nullptr) == CL_SUCCESS;
  return is_told ? static_cast<int>(multiple) : 0;
}

/// Returns a value of cl_nv_device_attribute_query, whose header is not everywhere; 0 if the driver does not
/// report it.
cl_uint attribute(cl_device_id device, cl_device_info what) {
  cl_uint value = 0;
  return clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : 0;
}

constexpr cl_device_info kComputeMajor = 0x4000, kComputeMinor = 0x4001, kRegistersPerGroup = 0x4002,
                         kWarpSize = 0x4003;

/// True for compute capability 8.0 and later, whose inline PTX has products of matrices of f16.
bool has_matrix_units(cl_device_id device) {
  constexpr cl_uint kFirst = 8, kLanes = 32;
  return attribute(device, kComputeMajor) >= kFirst && attribute(device, kWarpSize) == kLanes;
}

/// True for compute capability 6.1 and later, whose inline PTX has dp4a.
bool has_dp4a(cl_device_id device) {
  constexpr cl_uint kFirstMajor = 6, kFirstMinor = 1;
  const cl_uint major = attribute(device, kComputeMajor);
  return major > kFirstMajor || (major == kFirstMajor && attribute(device, kComputeMinor) >= kFirstMinor);
}

}  // namespace

std::string platform_version(cl_platform_id platform) { return platform_text(platform, CL_PLATFORM_VERSION); }

DeviceInfo device_info(cl_platform_id platform, cl_device_id device) {
  const auto integer = [&](cl_device_info what) {
    return static_cast<std::int64_t>(device_value<cl_ulong>(device, what));
  };
  const auto size = [&](cl_device_info what) {
    return static_cast<std::int64_t>(device_value<std::size_t>(device, what));
  };
  const auto number = [&](cl_device_info what) {
    return static_cast<int>(device_value<cl_uint>(device, what));
  };

  DeviceInfo info;
  info.backend = kOpenClBackend;
  info.name = device_text(device, CL_DEVICE_NAME);
  info.vendor = device_text(device, CL_DEVICE_VENDOR);
  info.version = device_text(device, CL_DEVICE_VERSION);
  info.driver = device_text(device, CL_DRIVER_VERSION);
  info.platform = platform_text(platform, CL_PLATFORM_NAME);
  const auto type = device_value<cl_device_type>(device, CL_DEVICE_TYPE);
  info.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  info.is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
  info.compute_units = std::max(1, number(CL_DEVICE_MAX_COMPUTE_UNITS));
  info.max_group_sizes = max_group_sizes(device);
  info.max_group_size = std::max<std::int64_t>(1, size(CL_DEVICE_MAX_WORK_GROUP_SIZE));
  info.local_memory_bytes = integer(CL_DEVICE_LOCAL_MEM_SIZE);
  info.local_memory_on_chip =
      device_value<cl_device_local_mem_type>(device, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL;
  info.has_unified_memory = device_value<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY) == CL_TRUE;
  // PoCL keeps the arrays of a work-group on the stack of the thread that runs it: 8 MiB on Linux, of which
  // other things take their part.
  constexpr std::int64_t kHalfOfStack = 4 << 20, kLargestOfGpus = 512 << 10;
  info.private_memory_bytes = info.is_cpu ? kHalfOfStack : kLargestOfGpus;
  if (info.is_cpu) info.group_private_memory_bytes = kHalfOfStack;
  info.global_memory_bytes = integer(CL_DEVICE_GLOBAL_MEM_SIZE);
  info.max_allocation_bytes = integer(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.constant_buffer_bytes = integer(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
  info.global_cache_bytes = integer(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  info.global_cache_line_bytes = number(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  constexpr std::int64_t kBitsOfByte = 8;
  info.buffer_alignment_bytes = std::max<std::int64_t>(1, size(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / kBitsOfByte);
  info.timer_resolution_ns = size(CL_DEVICE_PROFILING_TIMER_RESOLUTION);
  info.preferred_group_multiple = preferred_group_multiple(device);
  info.native_vector_width_float = number(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  info.has_images = device_value<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE;
  if (info.has_images) {
    info.image_limits = {size(CL_DEVICE_IMAGE2D_MAX_WIDTH), size(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
                         size(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), size(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE)};
    info.max_read_images = number(CL_DEVICE_MAX_READ_IMAGE_ARGS);
    info.max_write_images = number(CL_DEVICE_MAX_WRITE_IMAGE_ARGS);
  }
  info.clock_mhz = number(CL_DEVICE_MAX_CLOCK_FREQUENCY);

  const std::string extensions = device_text(device, CL_DEVICE_EXTENSIONS);
  for (const auto& name : std::views::split(extensions, ' ')) {
    if (!name.empty()) info.extensions.emplace_back(name.begin(), name.end());
  }
  const auto has = [&](const char* extension) {
    return std::ranges::find(info.extensions, extension) != info.extensions.end();
  };
  info.has_fp16 = has("cl_khr_fp16");
  info.has_fp64 = has("cl_khr_fp64");
  info.has_sub_groups = has("cl_khr_subgroups") || has("cl_intel_subgroups");
  info.has_sub_group_shuffle = has("cl_khr_subgroup_shuffle") || has("cl_intel_subgroups");
  info.has_integer_dot_product =
      (has("cl_khr_integer_dot_product") && info.version.starts_with("OpenCL 3")) ||
      has("cl_arm_integer_dot_product_int8");
  if (has("cl_nv_device_attribute_query")) {
    info.has_integer_dot_product = info.has_integer_dot_product || has_dp4a(device);
    info.registers_per_group = attribute(device, kRegistersPerGroup);
    info.has_matrix_units = has_matrix_units(device);
  }
  if (has("cl_intel_required_subgroup_size")) info.sub_group_sizes = sub_group_sizes(device);
  return info;
}

}  // namespace tensordsl::opencl
