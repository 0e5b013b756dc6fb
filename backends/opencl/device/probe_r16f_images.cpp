#include "backends/opencl/device/probe_r16f_images.h"

#include <array>

#include "tensordsl/half.h"

namespace tensordsl::opencl {
namespace {

/// Returns a hand-written kernel: it probes the driver, and is not an operator.
KernelSource copy_texels() {
  KernelSource source;
  source.entry = "copy_texels";
  source.text = R"(__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void copy_texels(__read_only image2d_t texels, __global float* copy) {
  const sampler_t at = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  copy[0] = read_imagef(texels, at, (int2)(0, 0)).x;
  copy[1] = read_imagef(texels, at, (int2)(1, 0)).x;
}
)";
  KernelArgument texels;
  texels.kind = KernelArgument::Kind::Image;
  texels.name = "texels";
  texels.type = Float(16);
  texels.elements = "2";
  texels.channels = 1;
  texels.width = "2";
  KernelArgument copy;
  copy.name = "copy";
  copy.type = Float(32);
  copy.access = KernelArgument::Access::WriteOnly;
  copy.elements = "2";
  source.arguments = {texels, copy};
  return source;
}

}  // namespace

bool probe_r16f_images(Device& device) {
  const std::array<float, 2> values{1.5f, -3.25f};
  const std::array<std::uint16_t, 2> halves{float_to_half(values[0]), float_to_half(values[1])};
  const std::shared_ptr<DeviceImage> image =
      device.allocate(ImageDescription{ImageKind::Image2D, 1, Float(16), 2, 1, 1});
  device.write(*image, std::as_bytes(std::span(halves)));
  std::array<float, 2> copied{};
  const std::shared_ptr<DeviceBuffer> copy = device.allocate(sizeof copied);
  device.record({Launch{device.build({copy_texels()})[0], {image, copy}}})->replay();
  device.read(*copy, std::as_writable_bytes(std::span(copied)));
  return copied == values;
}

}  // namespace tensordsl::opencl
