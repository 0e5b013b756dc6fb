// The OpenCL side of DeviceBuffer and DeviceKernel.
#pragma once

#include <memory>

#include "backends/opencl/device/handle.h"
#include "tensordsl/device.h"

namespace tensordsl::opencl {

/// Each object knows its context, so that one from another Device is refused instead of misused. The object
/// keeps its context alive, so the pointer stays unique.
struct OpenClBuffer final : DeviceBuffer {
  OpenClBuffer(cl_context made_in, Memory owned, std::size_t bytes, std::int64_t aligned,
               std::shared_ptr<DeviceBuffer> made_before = nullptr)
      : before(std::move(made_before)),
        context(made_in),
        object(std::move(owned)),
        size(bytes),
        alignment(aligned) {}
  std::size_t size_bytes() const override { return size; }
  const void* memory() const override { return object.get(); }
  KernelArgument::Access access() const override { return use; }

  /// For a part: the previous part of the same whole, or the whole. Parts are released in the reverse of the
  /// order in which they were made: NVIDIA's driver crashes if overlapping parts that a kernel used are
  /// released in another order.
  std::shared_ptr<DeviceBuffer> before;
  std::weak_ptr<DeviceBuffer> last_part;  // last part of a whole
  std::shared_ptr<const void> owner;      // owner of shared host memory
  cl_context context;
  Memory object;
  std::size_t size;
  std::int64_t alignment;  // alignment of its first byte
  KernelArgument::Access use = KernelArgument::Access::ReadWrite;
};

struct OpenClImage final : DeviceImage {
  OpenClImage(cl_context made_in, Memory texels, Memory owned, const ImageDescription& of)
      : context(made_in), storage(std::move(texels)), object(std::move(owned)), what(of) {}
  const ImageDescription& description() const override { return what; }
  const void* memory() const override { return object.get(); }
  KernelArgument::Access access() const override { return use; }

  cl_context context;
  Memory storage;  // buffer of an Image1DBuffer
  Memory object;
  ImageDescription what;
  KernelArgument::Access use = KernelArgument::Access::ReadWrite;
};

struct OpenClKernel final : DeviceKernel {
  OpenClKernel(cl_context made_in, Program owned, KernelSource from)
      : context(made_in), program(std::move(owned)), kernel_source(std::move(from)) {}
  const KernelSource& source() const override { return kernel_source; }

  cl_context context;
  Program program;
  KernelSource kernel_source;
};

/// Creates a kernel object whose arguments are not shared. Throws DeviceError.
Kernel create_kernel(const Program& program, const KernelSource& source);

/// Returns the largest work-group of the kernel that the device allows. Throws DeviceError.
std::int64_t allowed_group_size(const Kernel& kernel, const KernelSource& source, cl_device_id device);

/// Checks a compiled kernel. Throws DeviceError if the kernel does not match its source or needs more than
/// the device has.
void check_kernel(const Kernel& kernel, const KernelSource& source, cl_device_id device,
                  const DeviceInfo& info);

}  // namespace tensordsl::opencl
