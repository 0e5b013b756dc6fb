#include "backends/opencl/device/device_objects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backends/opencl/device/check.h"
#include "backends/opencl/device/fit_work_group.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {

Kernel create_kernel(const Program& program, const KernelSource& source) {
  cl_int status = CL_SUCCESS;
  Kernel kernel(clCreateKernel(program.get(), source.entry.c_str(), &status));
  check(status, "clCreateKernel", source.entry);
  return kernel;
}

std::int64_t allowed_group_size(const Kernel& kernel, const KernelSource& source, cl_device_id device) {
  std::size_t allowed = 0;
  check(clGetKernelWorkGroupInfo(kernel.get(), device, CL_KERNEL_WORK_GROUP_SIZE, sizeof allowed, &allowed,
                                 nullptr),
        "clGetKernelWorkGroupInfo", source.entry);
  return static_cast<std::int64_t>(allowed);
}

void check_kernel(const Kernel& kernel, const KernelSource& source, cl_device_id device,
                  const DeviceInfo& info) {
  cl_uint arguments = 0;
  check(clGetKernelInfo(kernel.get(), CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr),
        "clGetKernelInfo", source.entry);
  if (arguments != source.arguments.size()) {
    throw DeviceError(
        fmt::format("kernel {}: its OpenCL text has {} arguments, but its launch manifest has {}",
                    source.entry, arguments, source.arguments.size()));
  }

  const std::array<int, 3>& group = source.launch.group_size;
  std::int64_t items = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    if (group[d] < 1 || group[d] > info.max_group_sizes[d]) {
      throw DeviceError(fmt::format("kernel {}: work-group size {} in dimension {}; {} allows 1 to {}",
                                    source.entry, group[d], d, info.name, info.max_group_sizes[d]));
    }
    items *= group[d];
  }
  if (const std::int64_t allowed = allowed_group_size(kernel, source, device); items > allowed) {
    const auto fitting = fit_work_group(group, allowed);
    throw WorkGroupError(
        fmt::format("kernel {}: work-group of {} = {} work-items; {} allows {} for this kernel; a work-group "
                    "of {} fits: pass such sizes to gpu_tile, or to the splits before gpu_threads",
                    source.entry, fmt::join(group, "x"), items, info.name, allowed, fmt::join(fitting, "x")));
  }

  // Not every driver counts the arrays that the kernel declares itself, and rusticl of Mesa 22.3 counts them
  // twice: the manifest's count is taken wherever it has one.
  cl_ulong reported = 0;
  check(clGetKernelWorkGroupInfo(kernel.get(), device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof reported, &reported,
                                 nullptr),
        "clGetKernelWorkGroupInfo", source.entry);
  const std::int64_t counted = source.resources.local_bytes;
  const std::int64_t local_bytes = counted > 0 ? counted : static_cast<std::int64_t>(reported);
  if (local_bytes > info.local_memory_bytes) {
    throw DeviceError(
        fmt::format("kernel {}: it needs {} bytes of local memory, but {} has {}; use smaller tiles",
                    source.entry, local_bytes, info.name, info.local_memory_bytes));
  }
}

}  // namespace tensordsl::opencl
