// A padded 3x3 convolution as a product of matrices, weights [Co, Ci*9] by columns [Ci*9, H*W]. The columns
// are never stored: each work-group gathers its tile of them from the image into local memory.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("implicit_gemm", argc, argv);
  constexpr int kIn = 8, kOut = 32, kHeight = 8, kWidth = 12, kDepth = kIn * 9, kPixels = kHeight * kWidth;
  const Var o("o"), n("n"), k("k"), oo("oo"), ot("ot"), oi("oi"), ov("ov"), no("no"), nt("nt"), ni("ni"),
      nv("nv"), ko("ko"), ki("ki"), f("f"), ff("ff"), t("t"), ty("ty"), tx("tx");
  const Input in("in", Float(32), {kIn, kHeight, kWidth}),
      weights("weights", Float(32), {kOut, kDepth}, {"o", "k"});
  const RDom r({{0, kDepth}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), kHeight, kWidth});
  Func columns("columns"), product("product"), out("implicit_gemm");
  columns(k, n) = padded(k / 9, n / kWidth + k / 3 % 3 - 1, n % kWidth + k % 3 - 1);
  product(o, n) += weights(o, r) * columns(r, n);
  out(o, n) = product(o, n);

  out.bound({kOut, kPixels});
  if (example.by_hand()) {
    // 16 channels by 32 pixels to a work-group of 8 x 4 work-items, each of which keeps 4 x 4 sums in
    // registers.
    out.split(o, oo, oi, 16).split(n, no, ni, 32).split(oi, ot, ov, 4).split(ni, nt, nv, 4);
    out.reorder({oo, no, ot, nt, ov, nv}).gpu_blocks(no, oo).gpu_threads(nt, ot).unroll(ov).vectorize(nv);
    product.compute_at(out, nt).unroll(o).vectorize(n);
    product.update().split(r[0], ko, ki, 8).reorder({ko, ki, o, n}).unroll(o).vectorize(n);
    Func filter = weights.in(product);
    columns.compute_at(product.update(), ko).store_in(Local).fuse(k, n, f);
    filter.compute_at(product.update(), ko).store_in(Local).layout("k o").fuse(o, k, f);
    for (Func* tile : {&columns, &filter}) tile->split(f, ff, t, 32).split(t, ty, tx, 8).gpu_threads(tx, ty);
  }

  const Buffer image = example_data({kIn, kHeight, kWidth}, 16), matrix = example_data({kOut, kDepth}, 17);
  return example.check(out, {{"in", image}, {"weights", matrix}}, [&](std::int64_t at) {
    const int pixel = static_cast<int>(at) % kPixels;
    return convolution_3x3(image, matrix, static_cast<int>(at) / kPixels, pixel / kWidth, pixel % kWidth);
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
