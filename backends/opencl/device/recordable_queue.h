// Kernels that a driver records once and enqueues as one, with cl_qcom_recordable_queues, as on Adreno.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "backends/opencl/device/command_buffer.h"

namespace tensordsl::opencl {

using cl_recording_qcom = struct _cl_recording_qcom*;

/// Functions of the extension, whose header is not everywhere, and those of OpenCL that are used with it; a
/// test replaces them.
struct RecordableQueues {
  cl_uint most_kernels = 0;  ///< limit of one recording: CL_DEVICE_RECORDABLE_QUEUE_MAX_SIZE
  cl_command_queue (*create_queue)(cl_context, cl_device_id, cl_command_queue_properties, cl_int*) = nullptr;
  cl_int (*release_queue)(cl_command_queue) = nullptr;
  cl_int (*enqueue_kernel)(cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*,
                           cl_uint, const cl_event*, cl_event*) = nullptr;
  cl_recording_qcom (*begin)(cl_command_queue, cl_int*) = nullptr;
  cl_int (*end)(cl_recording_qcom) = nullptr;
  cl_int (*release)(cl_recording_qcom) = nullptr;
  /// Enqueues a recording. The lists have the arguments, offsets, global and local sizes that differ this
  /// time.
  cl_int (*enqueue)(cl_command_queue, cl_recording_qcom, size_t, const void*, size_t, const void*, size_t,
                    const void*, size_t, const void*, cl_uint, const cl_event*, cl_event*) = nullptr;
};

/// Returns the device's functions for recordable queues; nothing if it has none.
std::optional<RecordableQueues> recordable_queues(const DeviceInfo& info, cl_device_id device);

/// Makes as many recordings as the kernels need, in order. Null if the driver refuses one. Context, kernels
/// and queue must outlive the result, whose enqueue throws DeviceError if some recordings were enqueued and
/// the next is refused.
std::unique_ptr<CommandBuffer> record_on_queue(const RecordableQueues& queues, cl_context context,
                                               cl_device_id device, cl_command_queue queue,
                                               std::span<const RecordedKernel> kernels);

}  // namespace tensordsl::opencl
