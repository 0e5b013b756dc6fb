// A program's own OpenCL objects: Devices on its queues, its buffers and images as inputs and outputs.
#pragma once

#include <memory>
#include <span>

#include "tensordsl/device.h"

// Types of CL/cl.h, declared as it declares them.
typedef struct _cl_device_id* cl_device_id;          ///< a device
typedef struct _cl_context* cl_context;              ///< a context
typedef struct _cl_command_queue* cl_command_queue;  ///< a command queue
typedef struct _cl_mem* cl_mem;                      ///< a buffer or an image
typedef struct _cl_event* cl_event;                  ///< an event

namespace tensordsl::opencl {

/// Returns a Device whose memory belongs to `context`, and whose launches go to `queue`, an in-order queue:
/// after the commands that the program has put there, before those that it puts there next. Runner::start()
/// does not wait. Devices of one context accept each other's buffers and images. All three objects are
/// retained. Throws DeviceError if `queue` belongs to another context or device, or is not in order.
std::shared_ptr<Device> device_of(cl_context context, cl_device_id device, cl_command_queue queue);

/// Returns a Device with a queue of its own in the context of `device`: work of the two may overlap, and
/// memory that both use needs a wait between. Throws DeviceError if `device` is not of OpenCL.
std::shared_ptr<Device> with_another_queue(Device& device);

/// Makes work that is started on `device` from now on begin when these events are complete. Throws
/// DeviceError if `device` is not of OpenCL, or on events of another context.
void wait_for(Device& device, std::span<const cl_event> events);
/// Returns an event that is complete when all work started on `device` up to now is; the caller releases it.
/// Throws DeviceError if `device` is not of OpenCL.
cl_event completion_of(Device& device);

/// Returns a handle, for Runner::bind, to a buffer that the program made in the context of `device`; it is
/// retained. Throws DeviceError on memory of another context.
std::shared_ptr<DeviceBuffer> buffer_of(Device& device, cl_mem buffer);
/// Returns a handle, for Runner::bind, to an image that the program made in the context of `device`; it is
/// retained. It is CL_RGBA or CL_R, of CL_FLOAT, CL_HALF_FLOAT, CL_UNORM_INT8, CL_UNSIGNED_INT8,
/// CL_SIGNED_INT8 or CL_SIGNED_INT32; kernels read one of CL_UNORM_INT8 as floats. Throws DeviceError on
/// memory of another context.
std::shared_ptr<DeviceImage> image_of(Device& device, cl_mem image);

}  // namespace tensordsl::opencl
