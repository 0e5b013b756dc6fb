// A padded 3x3 convolution, f32, channels last, weights packed: for a CPU.
#pragma once

#include <tensordsl/tensordsl.h>

#include <string>

/// [channels, size, size] -> [channels, size, size]: 6 pixels x 2 vectors of output channels in registers.
inline tensordsl::Func conv3x3_packed(int channels, int size, int vector) {
  using namespace tensordsl;
  const Var c("c"), y("y"), x("x"), co("co"), ct("ct"), cg("cg"), cv("cv"), xo("xo"), xi("xi"), b0("b0"),
      b1("b1"), b2("b2");
  Input in("in", Float(32), {channels, size, size}, {"c", "y", "x"});
  Input weights("weights", Float(32), {channels, channels, 3, 3}, {"o", "i", "ky", "kx"});
  const RDom r({{0, 3}, {0, 3}, {0, channels}}, "r");
  Func padded = BoundaryConditions::zero(in, {Expr(), size, size});
  Func conv("conv"), out("out");
  conv(c, y, x) += padded(r[2], y + r[0] - 1, x + r[1] - 1) * weights(c, r[2], r[0], r[1]);
  out(c, y, x) = conv(c, y, x);

  const std::string block = std::to_string(2 * vector);
  in.layout("y x c");
  weights.layout("o/" + block + " ky kx i o%" + block);
  padded.compute_root().layout("b1 b2 b0").reorder({b1, b2, b0}).vectorize(b0, vector).gpu_blocks(b1);
  out.bound({channels, size, size}).layout("y x c");
  out.split(c, co, ct, 2 * vector)
      .split(ct, cg, cv, vector)
      .split(x, xo, xi, 6, size < 6 ? Tail::Guard : Tail::ShiftInwards);
  out.reorder({co, y, xo, xi, cg, cv}).vectorize(cv).unroll(cg).unroll(xi).gpu_blocks(xo, y, co);
  conv.compute_at(out, xo)
      .split(c, cg, cv, vector)
      .reorder({y, x, cg, cv})
      .vectorize(cv)
      .unroll(cg)
      .unroll(x);
  conv.update()
      .split(c, cg, cv, vector)
      .reorder({y, r[0], r[1], r[2], x, cg, cv})
      .vectorize(cv)
      .unroll(cg)
      .unroll(x);
  return out;
}
