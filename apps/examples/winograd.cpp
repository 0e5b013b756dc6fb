// A padded 3x3 convolution by Winograd's F(2x2,3x3): four Funcs, 16 products for 4 results where the direct
// way takes 36.
// Source: Lavin and Gray, Fast Algorithms for Convolutional Neural Networks (CVPR 2016).
#include "apps/examples/example.h"

using namespace tensordsl;

namespace {

using Row = std::function<Expr(int)>;
/// Each is one of four (or two) combinations of a column's elements; unrolled, the choice is made at compile
/// time.
Expr weight_row(const Expr& p, const Row& w) {
  return select(
      p == 0, w(0),
      select(p == 1, (w(0) + w(1) + w(2)) * 0.5f, select(p == 2, (w(0) - w(1) + w(2)) * 0.5f, w(2))));
}
Expr input_row(const Expr& p, const Row& d) {
  return select(p == 0, d(0) - d(2), select(p == 1, d(1) + d(2), select(p == 2, d(2) - d(1), d(1) - d(3))));
}
Expr output_row(const Expr& i, const Row& m) {
  return select(i == 0, m(0) + m(1) + m(2), m(1) - m(2) - m(3));
}

}  // namespace

int main(int argc, char** argv) try {
  const Example example("winograd", argc, argv);
  constexpr int kIn = 6, kOut = 8, kHeight = 7, kWidth = 10;
  const Var p("p"), q("q"), o("o"), c("c"), ty("ty"), tx("tx"), y("y"), x("x"), yi("yi"), xi("xi");
  const Input in("in", Float(32), {kIn, kHeight, kWidth}), w("w", Float(32), {kOut, kIn, 3, 3});
  const RDom r({{0, kIn}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), kHeight, kWidth});
  Func U("U"), V("V"), M("M"), out("winograd");
  U(p, q, c, o) =
      weight_row(p, [&](int a) { return weight_row(q, [&](int b) -> Expr { return w(o, c, a, b); }); });
  V(p, q, c, ty, tx) = input_row(p, [&](int a) {
    return input_row(q, [&](int b) -> Expr { return padded(c, ty * 2 + a - 1, tx * 2 + b - 1); });
  });
  M(p, q, ty, tx, o) += U(p, q, r, o) * V(p, q, r, ty, tx);
  out(o, y, x) = output_row(y % 2, [&](int a) {
    return output_row(x % 2, [&](int b) -> Expr { return M(a, b, y / 2, x / 2, o); });
  });

  out.bound({kOut, kHeight, kWidth});
  if (example.by_hand()) {
    U.compute_root().reorder({c, o, p, q}).unroll(p).unroll(q).gpu_blocks(o, c);
    V.compute_root().reorder({c, ty, tx, p, q}).unroll(p).unroll(q).gpu_blocks(tx, ty, c);
    M.compute_root().reorder({ty, tx, p, q}).vectorize(o, 8).gpu_blocks(tx, ty);
    M.update().vectorize(o, 8).reorder({ty, tx, p, q, r[0]}).gpu_blocks(tx, ty);
    out.split(y, ty, yi, 2)
        .split(x, tx, xi, 2)
        .reorder({o, ty, tx, yi, xi})
        .unroll(yi)
        .unroll(xi)
        .gpu_blocks(tx, ty, o);
  }

  const Buffer image = example_data({kIn, kHeight, kWidth}, 14), filter = example_data({kOut, kIn, 3, 3}, 15);
  return example.check(out, {{"in", image}, {"w", filter}}, [&](std::int64_t at) {
    return convolution_3x3(image, filter, static_cast<int>(at) / kWidth / kHeight,
                           static_cast<int>(at) / kWidth % kHeight, static_cast<int>(at) % kWidth);
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
