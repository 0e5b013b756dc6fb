// A program's own OpenCL objects: Devices on its queues, its buffers and images as inputs and outputs.
#pragma once

#include <memory>
#include <span>

#include "tensordsl/device.h"

// As CL/cl.h declares them.
typedef struct _cl_device_id* cl_device_id;          ///< a device
typedef struct _cl_context* cl_context;              ///< a context
typedef struct _cl_command_queue* cl_command_queue;  ///< a command queue
typedef struct _cl_mem* cl_mem;                      ///< a buffer or an image
typedef struct _cl_event* cl_event;                  ///< an event

namespace tensordsl::opencl {

/// A Device whose memory is of `context`, and whose launches go to `queue`, which keeps their order: behind
/// what the program has put there, before what it puts there next. Runner::start() does not wait. Devices of
/// one context take each other's buffers and images. All three are retained. Throws DeviceError if `queue` is
/// another context's or device's, or does not keep the order.
std::shared_ptr<Device> device_of(cl_context context, cl_device_id device, cl_command_queue queue);

/// A Device with a queue of its own beside that of `device`, in the same context: what is started on the two
/// may run at once, and memory that both use needs a wait between. Throws DeviceError if `device` is not of
/// OpenCL.
std::shared_ptr<Device> with_another_queue(Device& device);

/// What is started on `device` from now on begins when these events are complete. Throws DeviceError if
/// `device` is not of OpenCL, or on events of another context.
void wait_for(Device& device, std::span<const cl_event> events);
/// An event that is complete when all is that was started on `device` up to now; the caller releases it.
/// Throws DeviceError if `device` is not of OpenCL.
cl_event completion_of(Device& device);

/// What the program made in the context of `device`, retained, for Runner::bind. Throws DeviceError on memory
/// of another context.
std::shared_ptr<DeviceBuffer> buffer_of(Device& device, cl_mem buffer);
/// The same of an image: CL_RGBA or CL_R, of CL_FLOAT, CL_HALF_FLOAT, CL_UNORM_INT8, CL_UNSIGNED_INT8,
/// CL_SIGNED_INT8 or CL_SIGNED_INT32. One of CL_UNORM_INT8 is for what kernels take for floats.
std::shared_ptr<DeviceImage> image_of(Device& device, cl_mem image);

}  // namespace tensordsl::opencl
