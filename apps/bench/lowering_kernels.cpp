#include "apps/bench/lowering_kernels.h"

#include <string>
#include <vector>

namespace tensordsl::benchmarks {
namespace {

const Var n("n"), c("c"), y("y"), x("x"), co("co"), ci("ci"), xo("xo"), xi("xi"), yo("yo"), yi("yi");

/// Each stage reads three neighbors in the one before; the last is the output.
std::vector<Func> stencils(int stages) {
  constexpr int kSize = 512;
  const Input in("in", Float(32), {kSize, kSize});
  std::vector<Func> chain;
  for (int stage = 0; stage < stages; ++stage) {
    Func next("stage" + std::to_string(stage));
    if (stage == 0) {
      next(y, x) = in(clamp(y, 0, kSize - 1), clamp(x, 0, kSize - 1));
    } else {
      const Func& before = chain.back();
      next(y, x) = before(y - 1, x) + before(y, x + 1) + before(y, x);
    }
    chain.push_back(next);
  }
  chain.back().bound({kSize, kSize});
  return chain;
}

}  // namespace

Func conv3x3(int size, int channels) {
  Input in("in", Float(32), {1, channels, size, size}, {"n", "c", "y", "x"});
  Input weights("weights", Float(32), {channels, channels, 3, 3}, {"o", "i", "y", "x"});
  const Input bias("bias", Float(32), {channels});
  in.layout("n y x c");
  weights.layout("o/16 y x i o%16");
  const RDom r({{0, 3}, {0, 3}, {0, channels}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), Expr(), size, size});
  Func conv("conv"), out("out");
  conv(n, c, y, x) += padded(n, r[2], y + r[0] - 1, x + r[1] - 1) * weights(c, r[2], r[0], r[1]);
  out(n, c, y, x) = max(conv(n, c, y, x) + bias(c), 0.0f);
  out.bound({1, channels, size, size}).layout("n y x c");
  out.split(c, co, ci, 16).split(x, xo, xi, 4).reorder({n, co, y, xo, xi, ci});
  out.vectorize(ci, 8).unroll(ci).unroll(xi).gpu_blocks(xo, y, co);
  conv.compute_at(out, xo).reorder({n, y, x, c}).vectorize(c, 8).unroll(c).unroll(x);
  conv.update().reorder({n, y, r[0], r[1], r[2], x, c}).vectorize(c, 8).unroll(c).unroll(x);
  return out;
}

Func matmul(int size) {
  const Input lhs("lhs", Float(32), {size, size}), rhs("rhs", Float(32), {size, size});
  const RDom r({{0, size}}, "r");
  Func product("product"), out("out");
  product(y, x) += lhs(y, r) * rhs(r, x);
  out(y, x) = product(y, x);
  out.bound({size, size}).tile(y, x, yo, xo, yi, xi, 8, 32);
  out.vectorize(xi, 16).unroll(xi).unroll(yi).gpu_blocks(xo, yo);
  product.compute_at(out, xo).vectorize(x, 16).unroll(x).unroll(y);
  product.update().reorder({r[0], y, x}).vectorize(x, 16).unroll(x).unroll(y);
  return out;
}

Func depthwise(int size, int channels) {
  Input in("in", Float(32), {1, channels, size, size}, {"n", "c", "y", "x"});
  Input weights("weights", Float(32), {channels, 3, 3}, {"c", "y", "x"});
  in.layout("n y x c");
  weights.layout("y x c");
  const RDom r({{0, 3}, {0, 3}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), Expr(), size, size});
  Func sum("sum"), out("out");
  sum(n, c, y, x) += padded(n, c, y + r[0] - 1, x + r[1] - 1) * weights(c, r[0], r[1]);
  out(n, c, y, x) = clamp(sum(n, c, y, x), 0.0f, 6.0f);
  out.bound({1, channels, size, size}).layout("n y x c");
  out.split(c, co, ci, 16).split(x, xo, xi, 4).reorder({n, co, y, xo, xi, ci});
  out.vectorize(ci, 8).unroll(ci).unroll(xi).gpu_blocks(xo, y, co);
  sum.compute_at(out, xo).reorder({n, y, x, c}).vectorize(c, 8).unroll(c).unroll(x);
  sum.update()
      .reorder({n, y, r[0], r[1], x, c})
      .vectorize(c, 8)
      .unroll(c)
      .unroll(x)
      .unroll(r[0])
      .unroll(r[1]);
  return out;
}

Func softmax(int rows, int columns) {
  const Input in("in", Float(32), {rows, columns});
  const RDom r({{0, columns}}, "r");
  Func highest("highest"), exponent("exponent"), sum("sum"), out("out");
  highest(y).maximize(in(y, r));
  exponent(y, x) = exp(in(y, x) - highest(y));
  sum(y) += exponent(y, r);
  out(y, x) = exponent(y, x) / sum(y);
  out.bound({rows, columns}).vectorize(x, 4).gpu_tile(x, y, {32, 1});
  for (Func* f : {&highest, &sum}) {
    f->compute_root().gpu_tile(y, 16);
    f->update().gpu_tile(y, 16);
  }
  return out;
}

Func unrolled_stencil(int statements) {
  const Input in("in", Float(32), {statements});
  const Func padded = BoundaryConditions::zero(in, {statements});
  Func out("out");
  out(x) = padded(x - 1) + padded(x) + padded(x + 1);
  out.bound({statements}).unroll(x);
  return out;
}

Func chained_stencils(int stages) {
  std::vector<Func> chain = stencils(stages);
  Func out = chain.back();
  chain.pop_back();
  out.tile(y, x, yo, xo, yi, xi, 16, 16).gpu_blocks(xo, yo);
  for (Func& stage : chain) stage.compute_at(out, xo);
  return out;
}

Func chained_kernels(int stages) {
  std::vector<Func> chain = stencils(stages);
  Func out = chain.back();
  chain.pop_back();
  for (Func& stage : chain) stage.compute_root();
  return out;
}

Func scalar_tile(int rows, int columns) {
  constexpr int kDepth = 128;
  const Input lhs("lhs", Float(32), {rows * 4, kDepth}), rhs("rhs", Float(32), {kDepth, columns * 4});
  const RDom r({{0, kDepth}}, "r");
  Func product("product"), out("out");
  product(y, x) += lhs(y, r) * rhs(r, x);
  out(y, x) = product(y, x);
  out.bound({rows * 4, columns * 4}).tile(y, x, yo, xo, yi, xi, rows, columns);
  out.unroll(xi).unroll(yi).gpu_blocks(xo, yo);
  product.compute_at(out, xo).unroll(x).unroll(y);
  product.update().reorder({r[0], y, x}).unroll(x).unroll(y);
  return out;
}

Func unrolled_product(int factor) {
  constexpr int kSize = 1024;
  const Var xt("xt"), xv("xv"), ko("ko"), ki("ki");
  const Input lhs("lhs", Float(32), {kSize, kSize}), rhs("rhs", Float(32), {kSize, kSize});
  const RDom r({{0, kSize}}, "r");
  Func product("product"), out("out");
  product(y, x) += lhs(y, r) * rhs(r, x);
  out(y, x) = product(y, x);
  out.bound({kSize, kSize}).split(y, yo, yi, 6, Tail::ShiftInwards).split(x, xo, xt, 16).split(xt, xi, xv, 8);
  out.reorder({xo, yo, yi, xi, xv}).vectorize(xv).unroll(xi).unroll(yi).gpu_blocks(yo, xo);
  product.compute_at(out, yo).split(x, xi, xv, 8).vectorize(xv).unroll(xi).unroll(y);
  product.update().split(x, xi, xv, 8).split(r[0], ko, ki, factor).reorder({ko, ki, y, xi, xv});
  product.update().vectorize(xv).unroll(xi).unroll(y).unroll(ki);
  return out;
}

Func nested_selects(int levels) {
  const Input in("in", Float(32), {1024}), chosen("chosen", Int(32), {1024});
  Func out("out");
  Expr value = in(x);
  for (int level = 0; level < levels; ++level) {
    const Expr scaled = value * 2 - in(clamp(x + level, 0, 1023)), choice = chosen(clamp(x + level, 0, 1023));
    value = select(choice == 0, scaled * scaled + value, select(choice == 1, value * value, scaled));
  }
  out(x) = select(chosen(x) > 0, value, 0.0f);
  out.bound({1024});
  return out;
}

Func chained_gathers(int loads) {
  const Input in("in", Int(32), {1024});
  Func out("out");
  Expr index = x;
  for (int load = 0; load < loads; ++load)
    index = in(clamp(index, 0, 1023)) + in(clamp(index + load, 0, 1023));
  out(x) = index;
  out.bound({1024});
  return out;
}

}  // namespace tensordsl::benchmarks
