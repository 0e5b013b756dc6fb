#include "runtime/run/check_r16f_images.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

bool is_single_half(const KernelArgument& argument) {
  return argument.kind == KernelArgument::Kind::Image && argument.channels == 1 && argument.type == Float(16);
}

}  // namespace

void check_r16f_images(const Program& program, Device& device) {
  for (const KernelSource& kernel : program.kernels) {
    const auto it = std::find_if(kernel.arguments.begin(), kernel.arguments.end(), is_single_half);
    if (it == kernel.arguments.end() || device.reads_r16f_images()) continue;
    throw DeviceError(
        fmt::format("{}: {} is an image of one f16 to a texel, which {} offers but reads wrongly; give it "
                    "four to a texel, with a "
                    "layout that ends in \"| c%4\", or f32",
                    kernel.entry, it->name, device.info().name));
  }
}

}  // namespace tensordsl::runtime
