// The integral image: each element is the sum of all above and to the left. Two scans, which are updates that
// read the element before: the loop along the scan stays serial, and the other dimension is spread.
// Halide's integral image in its tutorials scans the same way and vectorizes the second scan; so does this.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("integral_image", argc, argv);
  constexpr int kHeight = 37, kWidth = 83;
  const Var y("y"), x("x");
  const Input in("in", UInt(8), {kHeight, kWidth}, {"y", "x"});
  const RDom along({{1, kWidth - 1}}, "along"), down({{1, kHeight - 1}}, "down");
  Func rows("rows"), sums("integral");
  rows(y, x) = cast<std::uint32_t>(in(y, x));
  rows(y, along) += rows(y, along - 1);
  sums(y, x) = rows(y, x);
  sums(down, x) += sums(down - 1, x);

  sums.bound({kHeight, kWidth});
  if (example.by_hand()) {
    sums.gpu_tile(x, y, {16, 4});
    sums.update().reorder({x, down[0]}).vectorize(x, 4).gpu_blocks(x);
    rows.compute_root().gpu_tile(x, y, {16, 4});
    rows.update().gpu_tile(y, 8);
  }

  Buffer image(UInt(8), {kHeight, kWidth});
  for (std::int64_t i = 0; i < image.elements(); ++i) image.set_int(i, i * 37 % 256);
  return example.check(sums, {{"in", image}}, [&](std::int64_t i) {
    double sum = 0;
    for (std::int64_t v = 0; v <= i / kWidth; ++v) {
      for (std::int64_t u = 0; u <= i % kWidth; ++u) sum += image.get(v * kWidth + u);
    }
    return sum;
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
