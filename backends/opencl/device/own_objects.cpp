#include <fmt/format.h>

#include <algorithm>

#include "backends/opencl/device/check.h"
#include "backends/opencl/device/opencl_device.h"
#include "tensordsl/error.h"
#include "tensordsl/opencl.h"

namespace tensordsl::opencl {
namespace {

template <typename T>
T queue_info(cl_command_queue queue, cl_command_queue_info what) {
  T value{};
  check(clGetCommandQueueInfo(queue, what, sizeof value, &value, nullptr), "clGetCommandQueueInfo");
  return value;
}

template <typename T>
T memory_info(cl_mem memory, cl_mem_info what) {
  T value{};
  check(clGetMemObjectInfo(memory, what, sizeof value, &value, nullptr), "clGetMemObjectInfo");
  return value;
}

template <typename T>
T texel_info(cl_mem image, cl_image_info what) {
  T value{};
  check(clGetImageInfo(image, what, sizeof value, &value, nullptr), "clGetImageInfo");
  return value;
}

const OpenClDevice& opencl_device(const Device& device, const char* call) {
  const auto* own = dynamic_cast<const OpenClDevice*>(&device);
  if (own) return *own;
  throw DeviceError(fmt::format("{}: {} is not an OpenCL device; open it with opencl::device_of", call,
                                device.info().name));
}

/// Retained.
Memory retained(const OpenClDevice& device, cl_mem object, const char* call) {
  if (object == nullptr) throw DeviceError(fmt::format("{}: the memory object is null; pass one", call));
  if (memory_info<cl_context>(object, CL_MEM_CONTEXT) != device.context().get())
    throw DeviceError(
        fmt::format("{}: the memory belongs to another context than {}", call, device.info().name));
  check(clRetainMemObject(object), "clRetainMemObject");
  return Memory(object);
}

KernelArgument::Access access_of(cl_mem memory) {
  const auto flags = memory_info<cl_mem_flags>(memory, CL_MEM_FLAGS);
  if ((flags & CL_MEM_READ_ONLY) != 0) return KernelArgument::Access::ReadOnly;
  return (flags & CL_MEM_WRITE_ONLY) != 0 ? KernelArgument::Access::WriteOnly
                                          : KernelArgument::Access::ReadWrite;
}

Type type_of_channel(cl_channel_type channel) {
  switch (channel) {
    case CL_FLOAT:
      return Float(32);
    case CL_HALF_FLOAT:
      return Float(16);
    case CL_SIGNED_INT32:
      return Int(32);
    case CL_SIGNED_INT8:
      return Int(8);
    case CL_UNSIGNED_INT8:
    case CL_UNORM_INT8:
      return UInt(8);
    default:
      throw DeviceError(
          fmt::format("image_of: unsupported channel type {:#x}; supported: CL_FLOAT, CL_HALF_FLOAT, "
                      "CL_SIGNED_INT32, CL_SIGNED_INT8, CL_UNSIGNED_INT8 and CL_UNORM_INT8",
                      channel));
  }
}

ImageKind kind_of(cl_mem image) {
  switch (memory_info<cl_mem_object_type>(image, CL_MEM_TYPE)) {
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return ImageKind::Image1DBuffer;
    case CL_MEM_OBJECT_IMAGE2D:
      return ImageKind::Image2D;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return ImageKind::Image2DArray;
    default:
      throw DeviceError(
          "image_of: the object is not a supported image; supported: Image1DBuffer, Image2D, Image2DArray");
  }
}

}  // namespace

std::shared_ptr<Device> device_of(cl_context context, cl_device_id device, cl_command_queue queue) {
  if (context == nullptr || device == nullptr || queue == nullptr)
    throw DeviceError("device_of: the context, device and queue must not be null");
  if (queue_info<cl_context>(queue, CL_QUEUE_CONTEXT) != context)
    throw DeviceError("device_of: the queue belongs to another context; pass a queue of this context");
  if (queue_info<cl_device_id>(queue, CL_QUEUE_DEVICE) != device)
    throw DeviceError("device_of: the queue belongs to another device; pass a queue of this device");
  const auto properties = queue_info<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES);
  if ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0)
    throw DeviceError("device_of: the queue executes out of order; pass an in-order queue");
  const std::vector<ListedDevice> all = list_devices();
  const auto listed = std::ranges::find(all, device, &ListedDevice::id);
  if (listed == all.end())
    throw DeviceError(
        "device_of: no platform lists the device; pass a device from clGetDeviceIDs, not a sub-device");
  check(clRetainContext(context), "clRetainContext");
  Context own_context(context);
  check(clRetainCommandQueue(queue), "clRetainCommandQueue");
  return std::make_shared<OpenClDevice>(*listed,
                                        runtime::ProgramCache(runtime::ProgramCache::folder_of_environment()),
                                        std::move(own_context), Queue(queue));
}

std::shared_ptr<Device> with_another_queue(Device& device) {
  return opencl_device(device, "with_another_queue").with_another_queue();
}

void wait_for(Device& device, std::span<const cl_event> events) {
  const OpenClDevice& own = opencl_device(device, "wait_for");
  if (events.empty()) return;
  check(clEnqueueBarrierWithWaitList(own.queue().get(), static_cast<cl_uint>(events.size()), events.data(),
                                     nullptr),
        "clEnqueueBarrierWithWaitList");
}

cl_event completion_of(Device& device) {
  const OpenClDevice& own = opencl_device(device, "completion_of");
  cl_event event = nullptr;
  check(clEnqueueMarkerWithWaitList(own.queue().get(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
  const Event marker(event);
  check(clFlush(own.queue().get()), "clFlush");
  check(clRetainEvent(event), "clRetainEvent");
  return event;
}

std::shared_ptr<DeviceBuffer> buffer_of(Device& device, cl_mem buffer) {
  const OpenClDevice& own = opencl_device(device, "buffer_of");
  Memory memory = retained(own, buffer, "buffer_of");
  if (memory_info<cl_mem_object_type>(buffer, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER)
    throw DeviceError("buffer_of: the object is not a buffer; use image_of for images");
  // A part of another buffer may begin anywhere, and so may memory of the host.
  const bool begins_anywhere = memory_info<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT) != nullptr ||
                               memory_info<void*>(buffer, CL_MEM_HOST_PTR) != nullptr;
  const auto bytes = memory_info<std::size_t>(buffer, CL_MEM_SIZE);
  auto made = std::make_shared<OpenClBuffer>(own.context().get(), std::move(memory), bytes,
                                             begins_anywhere ? 1 : own.info().buffer_alignment_bytes);
  made->use = access_of(buffer);
  return made;
}

std::shared_ptr<DeviceImage> image_of(Device& device, cl_mem image) {
  const OpenClDevice& own = opencl_device(device, "image_of");
  Memory memory = retained(own, image, "image_of");
  ImageDescription what;
  what.kind = kind_of(image);
  const auto format = texel_info<cl_image_format>(image, CL_IMAGE_FORMAT);
  if (format.image_channel_order != CL_RGBA && format.image_channel_order != CL_R)
    throw DeviceError(fmt::format("image_of: unsupported channel order {:#x}; supported: CL_RGBA and CL_R",
                                  format.image_channel_order));
  what.channels = format.image_channel_order == CL_RGBA ? 4 : 1;
  what.type = type_of_channel(format.image_channel_data_type);
  what.is_normalized = format.image_channel_data_type == CL_UNORM_INT8;
  what.width = static_cast<std::int64_t>(texel_info<std::size_t>(image, CL_IMAGE_WIDTH));
  if (what.kind != ImageKind::Image1DBuffer)
    what.height = static_cast<std::int64_t>(texel_info<std::size_t>(image, CL_IMAGE_HEIGHT));
  if (what.kind == ImageKind::Image2DArray)
    what.layers = static_cast<std::int64_t>(texel_info<std::size_t>(image, CL_IMAGE_ARRAY_SIZE));
  auto made = std::make_shared<OpenClImage>(own.context().get(), Memory(), std::move(memory), what);
  made->use = access_of(image);
  return made;
}

}  // namespace tensordsl::opencl
