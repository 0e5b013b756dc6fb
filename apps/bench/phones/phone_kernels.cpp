#include "apps/bench/phones/phone_kernels.h"

#include <functional>

#include "tensordsl/tensordsl.h"

namespace tensordsl::bench {
namespace {

constexpr int kLanes = 4, kTile = 4, kItems = 64;

/// 4 channels x 4 pixels of a row to a work-item; work-items side by side have channels side by side.
Func direct(int size, int channels, PhoneWay way) {
  const Var c("c"), y("y"), x("x"), co("co"), ci("ci"), xo("xo"), xi("xi"), cb("cb"), ct("ct");
  Input in("in", Float(32), {channels, size, size});
  Input weights("weights", Float(32), {channels, channels, 3, 3});
  const RDom r({{0, 3}, {0, 3}, {0, channels}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), size, size});
  Func sum("sum"), out("out");
  sum(c, y, x) += padded(r[2], y + r[0] - 1, x + r[1] - 1) * weights(c, r[2], r[0], r[1]);
  out(c, y, x) = sum(c, y, x);
  in.layout("d1 d2 d0");
  weights.layout("d0/4 d2 d3 d1 d0%4");
  out.bound({channels, size, size}).layout("y x c");
  out.split(c, co, ci, kLanes).split(x, xo, xi, kTile).split(co, cb, ct, kItems);
  out.reorder({cb, y, xo, ct, xi, ci}).gpu_blocks(xo, y, cb).gpu_threads(ct);
  sum.compute_at(out, ct).reorder({y, x, c});
  sum.update().reorder({y, r[0], r[1], r[2], x, c});
  if (way == PhoneWay::Simple) return out;
  out.unroll(xi);
  sum.unroll(x);
  sum.update().unroll(x);
  if (way == PhoneWay::Vectorized) {
    out.vectorize(ci);
    sum.vectorize(c);
    sum.update().vectorize(c);
  } else {
    out.unroll(ci);
    sum.unroll(c);
    sum.update().unroll(c);
  }
  return out;
}

using Row = std::function<Expr(int)>;

Expr input_row(const Expr& p, const Row& d) {
  return select(p == 0, d(0) - d(2), select(p == 1, d(1) + d(2), select(p == 2, d(2) - d(1), d(1) - d(3))));
}

Expr output_row(const Expr& i, const Row& m) {
  return select(i == 0, m(0) + m(1) + m(2), m(1) - m(2) - m(3));
}

/// Lavin and Gray (CVPR 2016); the weights come transformed. 4 tiles x 4 channels to a work-item.
Func winograd(int size, int channels) {
  const Var p("p"), q("q"), o("o"), c("c"), ty("ty"), tx("tx"), y("y"), x("x"), yi("yi"), xi("xi"), to("to"),
      ti("ti"), oo("oo"), oi("oi"), co("co"), ci("ci"), cb("cb"), ct("ct"), ob("ob"), ot("ot");
  const int tiles = size / 2;
  Input in("in", Float(32), {channels, size, size});
  Input weights("weights", Float(32), {4, 4, channels, channels});
  const RDom r({{0, channels}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), size, size});
  Func patch("patch"), product("product"), copy("copy"), out("out");
  patch(p, q, ty, tx, c) = input_row(p, [&](int a) {
    return input_row(q, [&](int b) -> Expr { return padded(c, ty * 2 + a - 1, tx * 2 + b - 1); });
  });
  product(p, q, ty, tx, o) += patch(p, q, ty, tx, r[0]) * weights(p, q, r[0], o);
  copy(p, q, ty, tx, o) = product(p, q, ty, tx, o);
  out(o, y, x) = output_row(y % 2, [&](int a) {
    return output_row(x % 2, [&](int b) -> Expr { return copy(a, b, y / 2, x / 2, o); });
  });
  in.layout("d1 d2 d0");
  weights.layout("d0 d1 d3/4 d2 d3%4");
  patch.compute_root().split(c, co, ci, kLanes).split(co, cb, ct, kItems);
  patch.reorder({cb, ty, tx, ct, p, q, ci}).vectorize(ci).unroll(p).unroll(q);
  patch.gpu_blocks(tx, ty, cb).gpu_threads(ct);
  copy.compute_root().bound({4, 4, tiles, tiles, channels});
  copy.split(o, oo, oi, kLanes).split(tx, to, ti, kTile).split(oo, ob, ot, kItems);
  const Var rows("rows"), points("points");
  copy.reorder({ob, p, q, ty, to, ot, ti, oi}).vectorize(oi).unroll(ti);
  copy.fuse(p, q, points).fuse(points, ty, rows).gpu_blocks(to, rows, ob).gpu_threads(ot);
  product.compute_at(copy, ot).reorder({p, q, ty, tx, o}).vectorize(o).unroll(tx);
  product.update().reorder({p, q, ty, r[0], tx, o}).vectorize(o).unroll(tx);
  out.bound({channels, size, size}).layout("y x o");
  out.split(o, oo, oi, kLanes).split(oo, ob, ot, kItems).split(y, ty, yi, 2).split(x, tx, xi, 2);
  out.reorder({ob, ty, tx, ot, yi, xi, oi}).vectorize(oi).unroll(yi).unroll(xi);
  out.gpu_blocks(tx, ty, ob).gpu_threads(ot);
  return out;
}

}  // namespace

Func phone_convolution(std::int64_t size, std::int64_t channels, PhoneWay way) {
  const int pixels = static_cast<int>(size), of_pixel = static_cast<int>(channels);
  return way == PhoneWay::Winograd ? winograd(pixels, of_pixel) : direct(pixels, of_pixel, way);
}

}  // namespace tensordsl::bench
