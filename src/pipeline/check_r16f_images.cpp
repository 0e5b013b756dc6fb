#include "pipeline/check_r16f_images.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/prepare.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

bool is_single_half(const KernelArgument& argument) {
  return argument.kind == KernelArgument::Kind::Image && argument.channels == 1 && argument.type == Float(16);
}

bool reads_right(Device& device) {
  Input texels("texels", Float(16), {1, 2}, {"row", "column"});
  const Var row("row"), column("column");
  Func copy("copy");
  copy(row, column) = cast(Float(32), texels(row, column));
  copy.bound({1, 2});
  texels.layout("row | column").set_image(Image2D);
  Buffer data(Float(16), {1, 2});
  data.set(0, 1.5);
  data.set(1, -3.25);
  const auto probe = prepare_pipeline(copy, Pipeline(copy).compile(device.info()), device, {});
  probe->write("texels", data);
  probe->run();
  const Buffer found = probe->read();
  return found.get(0) == 1.5 && found.get(1) == -3.25;
}

}  // namespace

void check_r16f_images(const CompiledPipeline& compiled, Device& device) {
  for (const KernelSource& kernel : compiled.kernels) {
    const auto it = std::find_if(kernel.arguments.begin(), kernel.arguments.end(), is_single_half);
    if (it == kernel.arguments.end()) continue;
    if (reads_right(device)) return;
    throw DeviceError(
        fmt::format("{}: {} is an image of one f16 to a texel, which {} offers but reads wrongly; give it "
                    "four to a texel, with a "
                    "layout that ends in \"| c%4\", or f32",
                    kernel.entry, it->name, device.info().name));
  }
}

}  // namespace tensordsl
