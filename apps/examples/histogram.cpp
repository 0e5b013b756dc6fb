// A histogram of bytes: an update that writes where its data say. Devices without atomics count in parts:
// rfactor gives each part of the image a histogram of its own, in a kernel that runs all parts at once, and
// the update adds them up. Halide's histograms do the same with rfactor and atomic().
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("histogram", argc, argv);
  constexpr int kPixels = 10000, kPart = 625;
  const Var bin("bin"), part("part"), ro("ro"), ri("ri");
  const Input in("in", UInt(8), {kPixels}, {"i"});
  const RDom r({{0, kPixels}}, "r");
  Func histogram("histogram");
  histogram(bin) = 0;
  histogram(cast<int>(in(r))) += 1;  // a byte needs no clamp

  histogram.bound({256});
  if (example.by_hand()) {
    histogram.gpu_tile(bin, 64);
    Func parts = histogram.update().split(r[0], ro, ri, kPart).rfactor(ro, part);
    histogram.update().reorder({bin, part}).gpu_tile(bin, 64);
    parts.compute_root().gpu_tile(bin, part, {64, 1});
    parts.update().gpu_blocks(part);
  }

  Buffer image(UInt(8), {kPixels});
  for (std::int64_t i = 0; i < kPixels; ++i) image.set_int(i, i * i % 251);
  return example.check(histogram, {{"in", image}}, [&](std::int64_t value) {
    double count = 0;
    for (std::int64_t i = 0; i < kPixels; ++i) count += image.get_int(i) == value;
    return count;
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
