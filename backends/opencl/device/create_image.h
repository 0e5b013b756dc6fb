// Images on an OpenCL device.
#pragma once

#include <array>
#include <memory>

#include "backends/opencl/device/device_objects.h"

namespace tensordsl::opencl {

/// Returns OpenCL's constant for an image of that kind.
cl_mem_object_type object_type(ImageKind kind);

/// Allocates an image. Throws DeviceError if the device does not support images of this kind or size.
std::shared_ptr<OpenClImage> create_image(const Context& context, const DeviceInfo& device,
                                          const ImageDescription& image);

/// Returns the region that covers the whole image. OpenCL has no empty images; the image of an empty tensor
/// has one texel.
std::array<std::size_t, 3> region_of(const ImageDescription& image);

}  // namespace tensordsl::opencl
