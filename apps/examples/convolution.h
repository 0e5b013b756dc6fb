// A small 3x3 convolution with bias and ReLU: the example of docs/ARCHITECTURE.md.
#pragma once

#include <tensordsl/tensordsl.h>

inline tensordsl::Func small_convolution() {
  using namespace tensordsl;
  Var n("n"), c("c"), y("y"), x("x"), xo("xo"), xi("xi");
  Input in("in", Float(32), {1, 8, 8, 8}, {"n", "c", "y", "x"});
  Input weights("weights", Float(32), {8, 8, 3, 3}, {"o", "i", "y", "x"});
  Input bias("bias", Float(32), {8}, {"o"});
  RDom r({{0, 3}, {0, 3}, {0, 8}}, "r");  // row and column of the filter, input channel

  Func padded = BoundaryConditions::zero(in, {Expr(), Expr(), 8, 8});
  Func conv("conv"), out("out");
  conv(n, c, y, x) += padded(n, r[2], y + r[0] - 1, x + r[1] - 1) * weights(c, r[2], r[0], r[1]);
  out(n, c, y, x) = max(conv(n, c, y, x) + bias(c), 0.0f);

  in.layout("n y x c");
  weights.layout("y x i o");
  out.bound({1, 8, 8, 8}).layout("n y x c");
  out.split(x, xo, xi, 2).reorder({n, y, xo, xi, c}).vectorize(c).unroll(xi).gpu_blocks(xo, y);
  conv.compute_at(out, xo).reorder({n, y, x, c}).vectorize(c).unroll(x);
  conv.update().reorder({n, y, r[0], r[1], r[2], x, c}).vectorize(c).unroll(x);
  return out;
}
