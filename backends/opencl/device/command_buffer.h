// Kernels that a driver records once and enqueues as one, with cl_khr_command_buffer.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "backends/opencl/device/handle.h"
#include "tensordsl/device.h"

namespace tensordsl::opencl {

/// A kernel with its arguments set, and its work sizes, none of which is 0.
struct RecordedKernel {
  cl_kernel kernel = nullptr;
  std::array<std::size_t, 3> global{1, 1, 1}, local{1, 1, 1};
};

class CommandBuffer {
 public:
  virtual ~CommandBuffer() = default;
  /// Enqueues all kernels, in order. Returns false if the driver refuses, for example while the last enqueue
  /// is still running: then no kernel was enqueued.
  virtual bool enqueue() = 0;
};

/// Makes a command buffer; null if the device has no cl_khr_command_buffer that records for `queue`, or
/// refuses one of the kernels. The kernels and the queue must outlive the result.
std::unique_ptr<CommandBuffer> make_command_buffer(const DeviceInfo& info, cl_device_id device,
                                                   cl_command_queue queue,
                                                   std::span<const RecordedKernel> kernels);

}  // namespace tensordsl::opencl
