#include "backends/opencl/device/create_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "backends/opencl/device/check.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

std::string words(const ImageDescription& image) {
  const std::string texel = fmt::format("texels of {} {}", image.channels, to_string(image.type));
  switch (image.kind) {
    case ImageKind::Image1DBuffer:
      return fmt::format("Image1DBuffer of {} {}", image.width, texel);
    case ImageKind::Image2D:
      return fmt::format("Image2D of {} x {} {}", image.width, image.height, texel);
    case ImageKind::Image2DArray:
      return fmt::format("Image2DArray of {} layers of {} x {} {}", image.layers, image.width, image.height,
                         texel);
  }
  return "";
}

void check_limits(const DeviceInfo& device, const ImageDescription& image) {
  const auto refuse = [&](const std::string& reason) {
    throw DeviceError(
        fmt::format("device memory: cannot create an {}; {} {}", words(image), device.name, reason));
  };
  if (!device.has_images) refuse("has no images");
  const ImageLimits& most = device.image_limits;
  if (image.width < 0 || image.height < 0 || image.layers < 0) refuse("does not support negative sizes");
  if (image.kind == ImageKind::Image1DBuffer) {
    if (image.width > most.buffer_texels)
      refuse(fmt::format("supports Image1DBuffers of up to {} texels", most.buffer_texels));
    if (image.height > 1 || image.layers > 1) refuse("does not support rows or layers in Image1DBuffers");
  } else if (image.width > most.width || image.height > most.height) {
    refuse(fmt::format("supports images of up to {} x {} texels", most.width, most.height));
  } else if (image.kind == ImageKind::Image2D && image.layers > 1) {
    refuse("does not support layers in Image2Ds");
  } else if (image.layers > most.layers) {
    refuse(fmt::format("supports Image2DArrays of up to {} layers", most.layers));
  }
}

cl_channel_type channel_type(const ImageDescription& image) {
  if (image.is_normalized) return CL_UNORM_INT8;
  const Type type = image.type;
  if (type.is_float()) return type.bits == 16 ? CL_HALF_FLOAT : CL_FLOAT;
  const bool is_signed = type.is_int();
  switch (type.bits) {
    case 8:
      return is_signed ? CL_SIGNED_INT8 : CL_UNSIGNED_INT8;
    case 16:
      return is_signed ? CL_SIGNED_INT16 : CL_UNSIGNED_INT16;
    default:
      return is_signed ? CL_SIGNED_INT32 : CL_UNSIGNED_INT32;
  }
}

bool is_supported(const Context& context, cl_mem_object_type kind, const cl_image_format& format) {
  cl_uint count = 0;
  check(clGetSupportedImageFormats(context.get(), CL_MEM_READ_WRITE, kind, 0, nullptr, &count),
        "clGetSupportedImageFormats");
  std::vector<cl_image_format> formats(count);
  check(clGetSupportedImageFormats(context.get(), CL_MEM_READ_WRITE, kind, count, formats.data(), nullptr),
        "clGetSupportedImageFormats");
  return std::any_of(formats.begin(), formats.end(), [&](const cl_image_format& f) {
    return f.image_channel_order == format.image_channel_order &&
           f.image_channel_data_type == format.image_channel_data_type;
  });
}

}  // namespace

cl_mem_object_type object_type(ImageKind kind) {
  switch (kind) {
    case ImageKind::Image1DBuffer:
      return CL_MEM_OBJECT_IMAGE1D_BUFFER;
    case ImageKind::Image2D:
      return CL_MEM_OBJECT_IMAGE2D;
    case ImageKind::Image2DArray:
      return CL_MEM_OBJECT_IMAGE2D_ARRAY;
  }
  return 0;
}

std::array<std::size_t, 3> region_of(const ImageDescription& image) {
  const auto at_least_one = [](std::int64_t extent) {
    return static_cast<std::size_t>(std::max<std::int64_t>(extent, 1));
  };
  return {at_least_one(image.width), at_least_one(image.height), at_least_one(image.layers)};
}

std::shared_ptr<OpenClImage> create_image(const Context& context, const DeviceInfo& device,
                                          const ImageDescription& image) {
  check_limits(device, image);
  const cl_channel_order order = image.channels == 4 ? CL_RGBA : CL_R;
  const cl_image_format format{order, channel_type(image)};
  if (!is_supported(context, object_type(image.kind), format)) {
    throw DeviceError(
        fmt::format("device memory: {} does not support images of {} x {}; keep the tensor in a buffer, or "
                    "change its type",
                    device.name, image.channels, to_string(image.type)));
  }
  const auto region = region_of(image);
  cl_image_desc what{};
  what.image_type = object_type(image.kind);
  what.image_width = region[0];
  what.image_height = image.kind == ImageKind::Image1DBuffer ? 0 : region[1];
  what.image_array_size = image.kind == ImageKind::Image2DArray ? region[2] : 0;
  cl_int status = CL_SUCCESS;
  Memory storage;
  if (image.kind == ImageKind::Image1DBuffer) {
    const std::size_t bytes = region[0] * static_cast<std::size_t>(image.channels * image.type.bytes());
    storage = Memory(clCreateBuffer(context.get(), CL_MEM_READ_WRITE, bytes, nullptr, &status));
    check(status, "clCreateBuffer");
    what.buffer = storage.get();
  }
  // The texels of an image that stands for an empty tensor are as empty as its border: kernels do not test
  // for them.
  const bool is_empty = image.elements() == 0 && image.kind != ImageKind::Image1DBuffer;
  std::vector<std::byte> zeros(is_empty ? region[0] * region[1] * region[2] *
                                              static_cast<std::size_t>(image.channels * image.type.bytes())
                                        : 0);
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (is_empty ? CL_MEM_COPY_HOST_PTR : 0);
  Memory memory(
      clCreateImage(context.get(), flags, &format, &what, is_empty ? zeros.data() : nullptr, &status));
  if (status != CL_SUCCESS) {
    throw DeviceError(fmt::format("device memory: {} failed to create an {}: clCreateImage failed: {}",
                                  device.name, words(image), status_text(status)));
  }
  return std::make_shared<OpenClImage>(context.get(), std::move(storage), std::move(memory), image);
}

}  // namespace tensordsl::opencl
