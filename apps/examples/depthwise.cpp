// A padded 3x3 depthwise convolution over textures: four channels and two pixels to a work-item.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("depthwise", argc, argv);
  constexpr int kChannels = 8, kHeight = 9, kWidth = 10;
  const Var c("c"), y("y"), x("x"), co("co"), ci("ci"), xo("xo"), xi("xi");
  Input in("in", Float(32), {kChannels, kHeight, kWidth}, {"c", "y", "x"}),
      weights("weights", Float(32), {kChannels, 3, 3}, {"c", "ky", "kx"});
  const RDom r({{0, 3}, {0, 3}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), kHeight, kWidth});
  Func sum("sum"), out("out");
  sum(c, y, x) += padded(c, y + r[0] - 1, x + r[1] - 1) * weights(c, r[0], r[1]);
  out(c, y, x) = clamp(sum(c, y, x), 0.0f, 6.0f);

  out.bound({kChannels, kHeight, kWidth});
  if (example.by_hand()) {
    in.set_image(Image2DArray).layout("c/4 | y | x | c%4");
    weights.set_image(Image2D).layout("c/4 | ky kx | c%4");
    out.set_image(Image2DArray).layout("c/4 | y | x | c%4");
    out.split(c, co, ci, 4)
        .split(x, xo, xi, 2)
        .reorder({co, y, xo, xi, ci})
        .vectorize(ci)
        .unroll(xi)
        .gpu_tile(xo, y, co, {5, 3, 2});
    sum.compute_at(out, xo).reorder({y, x, c}).vectorize(c).unroll(x);
    sum.update().reorder({y, r[0], r[1], x, c}).unroll(r[1]).unroll(x).vectorize(c);
  }

  const Buffer image = example_data({kChannels, kHeight, kWidth}, 10),
               filter = example_data({kChannels, 3, 3}, 11);
  return example.check(out, {{"in", image}, {"weights", filter}}, [&](std::int64_t at) {
    const int column = static_cast<int>(at) % kWidth, row = static_cast<int>(at) / kWidth % kHeight,
              channel = static_cast<int>(at) / kWidth / kHeight;
    double total = 0;
    for (int k = 0; k < 9; ++k) {
      const int v = row + k / 3 - 1, u = column + k % 3 - 1;
      if (v < 0 || v >= kHeight || u < 0 || u >= kWidth) continue;
      total += image.get((channel * kHeight + v) * kWidth + u) * filter.get(channel * 9 + k);
    }
    return std::clamp(total, 0.0, 6.0);
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
