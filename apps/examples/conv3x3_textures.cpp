// A padded 3x3 convolution whose tensors are textures of four channels to a texel, without a boundary test.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("conv3x3_textures", argc, argv);
  constexpr int kIn = 8, kOut = 12, kHeight = 7, kWidth = 10;
  const Var c("c"), y("y"), x("x"), co("co"), ci("ci"), xo("xo"), xi("xi"), ro("ro"), ri("ri");
  Input in("in", Float(32), {kIn, kHeight, kWidth}, {"c", "y", "x"}),
      weights("weights", Float(32), {kOut, kIn, 3, 3}, {"o", "i", "ky", "kx"});
  const RDom r({{0, 3}, {0, 3}, {0, kIn}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), kHeight, kWidth});
  Func conv("conv"), out("out");
  conv(c, y, x) += padded(r[2], y + r[0] - 1, x + r[1] - 1) * weights(c, r[2], r[0], r[1]);
  out(c, y, x) = conv(c, y, x);

  out.bound({kOut, kHeight, kWidth});
  if (example.by_hand()) {
    in.set_image(Image2DArray).layout("c/4 | y | x | c%4");
    weights.set_image(Image2D).layout("i | o/4 ky kx | o%4");
    out.set_image(Image2DArray).layout("c/4 | y | x | c%4").autobroadcast();
    out.split(c, co, ci, 4)
        .split(x, xo, xi, 2)
        .reorder({co, y, xo, xi, ci})
        .vectorize(ci)
        .unroll(xi)
        .gpu_tile(xo, y, co, {5, 7, 1});
    conv.compute_at(out, xo).reorder({y, x, c}).vectorize(c).unroll(x);
    conv.update()
        .split(r[2], ro, ri, 4)
        .reorder({y, r[0], r[1], ro, ri, x, c})
        .unroll(ri)
        .unroll(x)
        .vectorize(c);
  }

  const Buffer image = example_data({kIn, kHeight, kWidth}, 8), filter = example_data({kOut, kIn, 3, 3}, 9);
  return example.check(out, {{"in", image}, {"weights", filter}}, [&](std::int64_t at) {
    return convolution_3x3(image, filter, static_cast<int>(at) / kWidth / kHeight,
                           static_cast<int>(at) / kWidth % kHeight, static_cast<int>(at) % kWidth);
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
