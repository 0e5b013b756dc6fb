#include "apps/bench/texture_kernels.h"

#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

/// B = A + 1 over an image whose width only the launch knows: rows and columns come from one linear index by
/// division. Source: Romou (MobiCom 2022), Listing 5.
TextureKernel listing5(int steps) {
  constexpr int kRows = 8, kTiles = 4;
  const Param tiles("tiles");
  const Var y("y"), x("x"), p("p"), xo("xo"), xi("xi"), tile("tile");
  Input a("A", Float(32), {kRows, tiles * steps, 4}, {"y", "x", "p"});
  Func b("B");
  b(y, x, p) = a(y, x, p) + 1.0f;
  a.set_image(Image2D).layout("y | x | p");
  b.set_image(Image2D).layout("y | x | p").bound({kRows, tiles * steps, 4});
  b.split(x, xo, xi, steps).fuse(y, xo, tile).vectorize(p).gpu_tile(tile, 8);
  return {b, {{"A", {kRows, kTiles * steps, 4}}}, {{"tiles", kTiles}}, {kRows, kTiles * steps, 4}};
}

/// Four channels to a texel; a work-item computes a texel of four pixels.
TextureKernel texture_convolution(int size) {
  constexpr int kChannels = 16, kHeight = 8, kWidth = 16;
  const Var c("c"), y("y"), x("x"), co("co"), ci("ci"), xo("xo"), xi("xi"), ro("ro"), ri("ri");
  Input in("in", Float(32), {kChannels, kHeight, kWidth}, {"c", "y", "x"});
  Input weights("weights", Float(32), {kChannels, kChannels, size, size}, {"o", "i", "ky", "kx"});
  const RDom r({{0, size}, {0, size}, {0, kChannels}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), kHeight, kWidth});
  Func conv("conv"), out("out");
  conv(c, y, x) += padded(r[2], y + r[0] - size / 2, x + r[1] - size / 2) * weights(c, r[2], r[0], r[1]);
  out(c, y, x) = max(conv(c, y, x), 0.0f);
  in.set_image(Image2DArray).layout("c/4 | y | x | c%4");
  weights.set_image(Image2D).layout("i | o/4 ky kx | o%4");
  out.bound({kChannels, kHeight, kWidth}).set_image(Image2DArray).layout("c/4 | y | x | c%4");
  out.split(c, co, ci, 4)
      .split(x, xo, xi, 4)
      .reorder({co, y, xo, xi, ci})
      .vectorize(ci)
      .unroll(xi)
      .gpu_tile(xo, y, co, {4, 2, 1});
  conv.compute_at(out, xo).reorder({y, x, c}).vectorize(c).unroll(x);
  conv.update()
      .split(r[2], ro, ri, 4)
      .reorder({y, r[0], r[1], ro, ri, x, c})
      .unroll(ri)
      .unroll(x)
      .vectorize(c);
  return {out,
          {{"in", {kChannels, kHeight, kWidth}}, {"weights", {kChannels, kChannels, size, size}}},
          {},
          {kChannels, kHeight, kWidth}};
}

TextureKernel texture_depthwise() {
  constexpr int kChannels = 16, kHeight = 8, kWidth = 16;
  const Var c("c"), y("y"), x("x"), co("co"), ci("ci"), xo("xo"), xi("xi");
  Input in("in", Float(32), {kChannels, kHeight, kWidth}, {"c", "y", "x"});
  Input weights("weights", Float(32), {kChannels, 3, 3}, {"c", "ky", "kx"});
  const RDom r({{0, 3}, {0, 3}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), kHeight, kWidth});
  Func sum("sum"), out("out");
  sum(c, y, x) += padded(c, y + r[0] - 1, x + r[1] - 1) * weights(c, r[0], r[1]);
  out(c, y, x) = sum(c, y, x);
  in.set_image(Image2DArray).layout("c/4 | y | x | c%4");
  weights.set_image(Image2D).layout("c/4 | ky kx | c%4");
  out.bound({kChannels, kHeight, kWidth}).set_image(Image2DArray).layout("c/4 | y | x | c%4");
  out.split(c, co, ci, 4)
      .split(x, xo, xi, 4)
      .reorder({co, y, xo, xi, ci})
      .vectorize(ci)
      .unroll(xi)
      .gpu_tile(xo, y, co, {4, 2, 1});
  sum.compute_at(out, xo).reorder({y, x, c}).vectorize(c).unroll(x);
  sum.update().reorder({y, r[0], r[1], x, c}).unroll(x).vectorize(c);
  return {out,
          {{"in", {kChannels, kHeight, kWidth}}, {"weights", {kChannels, 3, 3}}},
          {},
          {kChannels, kHeight, kWidth}};
}

}  // namespace

TextureKernel texture_kernel(const std::string& name, int steps) {
  if (name == "listing5") return listing5(steps);
  if (name == "conv1x1") return texture_convolution(1);
  if (name == "conv3x3") return texture_convolution(3);
  if (name == "depthwise") return texture_depthwise();
  throw Error("there is no texture kernel \"" + name +
              "\"; there are listing5, conv1x1, conv3x3 and depthwise");
}

}  // namespace tensordsl::bench
