#include "golden/kernels.h"

namespace tensordsl::golden {
namespace {

const Var b("b"), y("y"), x("x"), c("c"), yo("yo"), yi("yi"), xo("xo"), xi("xi"), co("co"), ci("ci");

GoldenKernel scale() {
  const Input in("in", Float(32), {64});
  Func out("out");
  out(x) = in(x)*2.0f + 1.0f;
  out.bound({64}).vectorize(x, 4).gpu_tile(x, 8);
  return {"scale", out, {in}, {}};
}

GoldenKernel blur_edges() {
  const Input in("in", Float(32), {13, 20});
  Func clamped = BoundaryConditions::repeat_edge(in, in.shape());
  Func out("out");
  Expr sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) sum = sum + clamped(y + dy, x + dx);
  }
  out(y, x) = sum * (1.0f / 9);
  out.bound({13, 20}).vectorize(x, 4).gpu_tile(x, y, {4, 2});
  return {"blur_edges", out, {in}, {}};
}

GoldenKernel transpose() {
  const Input in("in", Float(32), {24, 40});
  Func out("out");
  out(y, x) = in(x, y);
  out.bound({40, 24}).tile(y, x, yo, xo, yi, xi, 4, 4).vectorize(xi).unroll(yi).gpu_blocks(xo, yo);
  return {"transpose", out, {in}, {}};
}

GoldenKernel matmul() {
  const Input lhs("lhs", Float(32), {32, 48}), rhs("rhs", Float(32), {48, 64});
  const RDom r({{0, 48}}, "r");
  Func product("product"), out("out");
  product(y, x) += lhs(y, r) * rhs(r, x);
  out(y, x) = product(y, x);
  out.bound({32, 64})
      .tile(y, x, yo, xo, yi, xi, 4, 16)
      .vectorize(xi, 8)
      .unroll(xi)
      .unroll(yi)
      .gpu_blocks(xo, yo);
  product.compute_at(out, xo).vectorize(x, 8).unroll(x).unroll(y);
  product.update().reorder({r[0], y, x}).vectorize(x, 8).unroll(x).unroll(y);
  return {"matmul", out, {lhs, rhs}, {}};
}

GoldenKernel matmul_symbolic() {
  const Param m("m"), n("n"), k("k");
  const Input lhs("lhs", Float(32), {m, k}), rhs("rhs", Float(32), {k, n});
  const RDom r({{0, k}}, "r");
  Func product("product"), out("out");
  product(y, x) += lhs(y, r) * rhs(r, x);
  out(y, x) = product(y, x);
  out.bound({m, n}).tile(y, x, yo, xo, yi, xi, 2, 4).vectorize(xi).unroll(yi).gpu_blocks(xo, yo);
  product.compute_at(out, xo).vectorize(x, 4).unroll(y);
  product.update().reorder({r[0], y, x}).vectorize(x, 4).unroll(y);
  return {"matmul_symbolic", out, {lhs, rhs}, {{"m", 5}, {"n", 11}, {"k", 7}}};
}

/// A loop over memory that it reads from end to end, which a thread of a processor asks for ahead of time.
GoldenKernel streamed_matmul() {
  constexpr int kSteps = 128;
  const Input lhs("lhs", Float(32), {4, kSteps}), rhs("rhs", Float(32), {kSteps, 16});
  const RDom r({{0, kSteps}}, "r");
  Func product("product"), out("out");
  product(y, x) += lhs(y, r) * rhs(r, x);
  out(y, x) = product(y, x);
  out.bound({4, 16}).split(y, yo, yi, 2).reorder({yo, yi, x}).vectorize(x).unroll(yi).gpu_blocks(yo);
  product.compute_at(out, yo).vectorize(x).unroll(y);
  product.update().reorder({r[0], y, x}).vectorize(x).unroll(y);
  return {"streamed_matmul", out, {lhs, rhs}, {}};
}

GoldenKernel convolution() {
  constexpr int kHeight = 7, kWidth = 10, kIn = 6, kOut = 16;
  Input in("in", Float(32), {1, kIn, kHeight, kWidth}, {"n", "c", "y", "x"});
  Input weights("weights", Float(32), {kOut, kIn, 3, 3}, {"o", "i", "y", "x"});
  const Input bias("bias", Float(32), {kOut}, {"o"});
  in.layout("n y x c");
  weights.layout("o/8 y x i o%8");
  const RDom r({{0, 3}, {0, 3}, {0, kIn}}, "r");
  Func padded = BoundaryConditions::zero(in, {Expr(), Expr(), kHeight, kWidth});
  Func conv("conv"), out("out");
  conv(b, c, y, x) += padded(b, r[2], y + r[0] - 1, x + r[1] - 1) * weights(c, r[2], r[0], r[1]);
  out(b, c, y, x) = max(conv(b, c, y, x) + bias(c), 0.0f);
  padded.compute_root().layout("b0 b2 b3 b1");
  padded.reorder({Var("b0"), Var("b2"), Var("b3"), Var("b1")}).gpu_blocks(Var("b2"));
  out.bound({1, kOut, kHeight, kWidth}).layout("b y x c");
  out.split(c, co, ci, 8).split(x, xo, xi, 4, Tail::ShiftInwards).reorder({b, co, y, xo, xi, ci});
  out.vectorize(ci).unroll(xi).gpu_blocks(xo, y, co);
  conv.compute_at(out, xo).reorder({b, y, x, c}).vectorize(c, 8).unroll(c).unroll(x);
  conv.update().reorder({b, y, r[0], r[1], r[2], x, c}).vectorize(c, 8).unroll(c).unroll(x);
  return {"convolution", out, {in, weights, bias}, {}};
}

GoldenKernel depthwise() {
  Input in("in", Float(32), {1, 8, 9, 12}, {"n", "c", "y", "x"});
  Input weights("weights", Float(32), {8, 3, 3}, {"c", "y", "x"});
  in.layout("n y x c");
  weights.layout("y x c");
  const RDom r({{0, 3}, {0, 3}}, "r");
  Func padded = BoundaryConditions::zero(in, {Expr(), Expr(), 9, 12});
  Func sum("sum"), out("out");
  sum(b, c, y, x) += padded(b, c, y * 2 + r[0] - 1, x * 2 + r[1] - 1) * weights(c, r[0], r[1]);
  out(b, c, y, x) = clamp(sum(b, c, y, x), 0.0f, 6.0f);
  out.bound({1, 8, 5, 6}).layout("b y x c").split(x, xo, xi, 2).reorder({b, y, xo, xi, c});
  out.vectorize(c).unroll(xi).gpu_blocks(xo, y);
  sum.compute_at(out, xo).reorder({b, y, x, c}).vectorize(c).unroll(x);
  sum.update().reorder({b, y, r[0], r[1], x, c}).vectorize(c).unroll(x).unroll(r[1]);
  return {"depthwise", out, {in, weights}, {}};
}

GoldenKernel max_pool() {
  const Input in("in", Float(32), {8, 11, 11}, {"c", "y", "x"});
  const RDom r({{0, 3}, {0, 3}}, "r");
  Func padded = BoundaryConditions::constant(in, -1e30f, {Expr(), 11, 11});
  Func out("out");
  out(c, y, x).maximize(padded(c, y * 2 + r[0] - 1, x * 2 + r[1] - 1));
  out.bound({8, 6, 6}).gpu_tile(x, y, c, {8, 4, 1});
  out.update().gpu_tile(x, y, c, {8, 4, 1});
  return {"max_pool", out, {in}, {}};
}

GoldenKernel softmax() {
  const Input in("in", Float(32), {5, 37});
  const RDom r({{0, 37}}, "r");
  Func highest("highest"), sum("sum"), out("out");
  Func exponent("exponent");
  highest(y).maximize(in(y, r));
  exponent(y, x) = exp(in(y, x) - highest(y));
  sum(y) += exponent(y, r);
  out(y, x) = exponent(y, x) / sum(y);
  out.bound({5, 37}).gpu_tile(x, y, {16, 1});
  highest.compute_root().gpu_tile(y, 4);
  highest.update().gpu_tile(y, 4);
  sum.compute_root().gpu_tile(y, 4);
  sum.update().gpu_tile(y, 4);
  return {"softmax", out, {in}, {}};
}

GoldenKernel dot_i8() {
  const Input lhs("lhs", Int(8), {12, 32}), rhs("rhs", UInt(8), {32, 8});
  const RDom r({{0, 32}}, "r");
  Func sum("sum"), out("out");
  sum(y, x) += cast(Int(32), lhs(y, r)) * cast(Int(32), rhs(r, x));
  out(y, x) = sum(y, x);
  out.bound({12, 8}).vectorize(x, 8).gpu_blocks(y);
  sum.compute_at(out, y).vectorize(x, 8);
  sum.update().reorder({r[0], y, x}).vectorize(x, 8);
  return {"dot_i8", out, {lhs, rhs}, {}};
}

GoldenKernel dot_products() {
  const Input lhs("lhs", UInt(8), {12, 32}), rhs("rhs", Int(8), {8, 32});
  const RDom r({{0, 32}}, "r");
  const Var ro("ro"), ri("ri");
  Func sum("sum"), out("out");
  sum(y, x) += cast(Int(32), lhs(y, r)) * cast(Int(32), rhs(x, r));
  out(y, x) = sum(y, x);
  out.bound({12, 8}).vectorize(x, 8).gpu_blocks(y);
  sum.compute_at(out, y).unroll(x);
  sum.update().split(r[0], ro, ri, 4, Tail::Exact).reorder({ro, y, x, ri}).unroll(x).unroll(ri);
  return {"dot_products", out, {lhs, rhs}, {}};
}

GoldenKernel saxpy_f16() {
  const Input in("in", Float(16), {50}), add("add", Float(16), {50});
  const Param alpha("alpha", Float(32));
  Func out("out");
  out(x) = cast(Float(16), alpha * in(x) + add(x));
  out.bound({50}).vectorize(x, 8).gpu_tile(x, 4);
  return {"saxpy_f16", out, {in, add}, {{"alpha", 3}}};
}

GoldenKernel local_tile() {
  const Input in("in", Float(32), {18, 34});
  Func staged("staged"), out("out");
  staged(y, x) = in(y, x) * 0.25f;
  out(y, x) = staged(y, x) + staged(y + 1, x + 1) + staged(y + 2, x + 2);
  out.bound({16, 32}).gpu_tile(x, y, {16, 4}, Tail::Exact);
  staged.compute_at(out, Var("x.b")).split(x, xo, xi, 16).gpu_threads(xi, y);
  return {"local_tile", out, {in}, {}};
}

/// A padded 3x3 convolution over textures: texels of four channels in, four channels out.
GoldenKernel texture_convolution(const std::string& name, bool autobroadcast) {
  Input in("in", Float(32), {8, 9, 10}, {"c", "y", "x"}),
      weights("weights", Float(32), {8, 8, 3, 3}, {"o", "i", "ky", "kx"});
  const RDom r({{0, 3}, {0, 3}, {0, 8}}, "r");
  const Var ro("ro"), ri("ri");
  const Func padded = BoundaryConditions::zero(in, {Expr(), 9, 10});
  Func conv("conv"), out("out");
  conv(c, y, x) += padded(r[2], y + r[0] - 1, x + r[1] - 1) * weights(c, r[2], r[0], r[1]);
  out(c, y, x) = max(conv(c, y, x), 0.0f);
  in.set_image(Image2DArray).layout("c/4 | y | x | c%4");
  weights.set_image(Image2D).layout("i | o/4 ky kx | o%4");
  out.bound({8, 9, 10}).set_image(Image2DArray).layout("c/4 | y | x | c%4");
  out.split(c, co, ci, 4)
      .split(x, xo, xi, 2)
      .reorder({co, y, xo, xi, ci})
      .vectorize(ci)
      .unroll(xi)
      .gpu_tile(xo, y, co, {5, 3, 1});
  conv.compute_at(out, xo).reorder({y, x, c}).vectorize(c).unroll(x);
  conv.update()
      .split(r[2], ro, ri, 4)
      .reorder({y, r[0], r[1], ro, ri, x, c})
      .unroll(ri)
      .unroll(x)
      .vectorize(c);
  if (autobroadcast) out.autobroadcast();
  return {name, out, {in, weights}, {}};
}

GoldenKernel texture_convolution() { return texture_convolution("texture_convolution", false); }
GoldenKernel texture_autobroadcast() { return texture_convolution("texture_autobroadcast", true); }

/// A matrix product whose tiles are loaded into local memory, two in turn, by all work-items of a group.
GoldenKernel local_matmul() {
  const Input lhs("lhs", Float(32), {16, 24}, {"i", "k"}), rhs("rhs", Float(32), {24, 32}, {"k", "j"});
  const RDom r({{0, 24}}, "r");
  const Var i("i"), j("j"), k("k"), io("io"), it("it"), ii("ii"), jo("jo"), jt("jt"), ji("ji"), ko("ko"),
      ki("ki"), ii2("ii2"), ji2("ji2"), f("f"), t("t"), ty("ty"), tx("tx");
  Func product("product"), out("out");
  product(i, j) += lhs(i, r) * rhs(r, j);
  out(i, j) = product(i, j);
  out.bound({16, 32}).split(i, io, ii, 8).split(j, jo, ji, 16).split(ii, it, ii2, 2).split(ji, jt, ji2, 4);
  out.reorder({io, jo, it, jt, ii2, ji2}).gpu_blocks(jo, io).gpu_threads(jt, it).unroll(ii2).vectorize(ji2);
  product.compute_at(out, jt).vectorize(j).unroll(i);
  product.update().split(r[0], ko, ki, 8).reorder({ko, ki, i, j}).vectorize(j).unroll(i);
  Func as = lhs.in(product), bs = rhs.in(product);
  as.compute_at(product.update(), ko).store_in(Local).double_buffer().fuse(i, k, f);
  bs.compute_at(product.update(), ko).store_in(Local).double_buffer().fuse(k, j, f);
  for (Func* tile : {&as, &bs}) tile->split(f, yo, t, 16).split(t, ty, tx, 4).gpu_threads(tx, ty);
  return {"local_matmul", out, {lhs, rhs}, {}};
}

/// A matrix times a vector: the work-items of a sub-group sum up in registers, then together.
GoldenKernel sub_group_matvec() {
  const Input matrix("matrix", Float(32), {6, 100}, {"i", "k"}), vector("vector", Float(32), {100});
  const RDom r({{0, 100}}, "r");
  const Var i("i"), step("step"), item("item"), lane("lane");
  Func product("product");
  product(i) += matrix(i, r) * vector(r);
  Func part = product.update().split(r[0], step, item, 32).rfactor(item, lane);
  product.bound({6}).gpu_blocks(i);
  product.update().gpu_blocks(i).gpu_lanes(lane);
  part.compute_at(product.update(), lane);
  return {"sub_group_matvec", product, {matrix, vector}, {}};
}

/// A matrix product: 16 work-items read 16 elements of a row and exchange them; pairs of neighbors add up
/// their values.
GoldenKernel sub_group_product() {
  const Input left("left", Float(32), {5, 48}, {"i", "k"}), right("right", Float(32), {48, 64}, {"k", "j"});
  const RDom r({{0, 48}}, "r");
  const Var i("i"), j("j"), k("k"), jo("jo"), ji("ji"), ko("ko"), ki("ki");
  Func row("row"), product("product"), smooth("smooth");
  row(i, k) = left(i, k);
  product(i, j) += row(i, r) * right(r, j);
  smooth(i, j) = product(i, j) + product(i, j / 2 * 2);
  smooth.bound({5, 64}).split(j, jo, ji, 16, Tail::Exact).gpu_blocks(jo, i).gpu_threads(ji);
  product.compute_at(smooth, jo).store_in(SubGroup).gpu_threads(j);
  product.update().split(r[0], ko, ki, 16).reorder({ko, ki, j}).gpu_threads(j);
  row.compute_at(product.update(), ko).store_in(SubGroup).gpu_threads(k);
  return {"sub_group_product", smooth, {left, right}, {}};
}

/// Arithmetic on halves, four at once, and a sum of halves in f32.
GoldenKernel half_blur() {
  const Input in("in", Float(16), {6, 36}), weights("weights", Float(16), {3});
  const RDom r({{0, 3}}, "r");
  Func sum("sum"), out("out");
  sum(y, x) += cast(Float(32), in(y, x + r)) * cast(Float(32), weights(r));
  out(y, x) = cast(Float(16), select(in(y, x) < 0.0f, in(y, x) * 0.5f, in(y, x) + 0.25f) * 0.25f +
                                  cast(Float(16), sum(y, x)));
  out.bound({6, 32}).split(x, xo, xi, 4).vectorize(xi).gpu_blocks(xo, y).half_arithmetic();
  sum.compute_at(out, xo).vectorize(x);
  sum.update().unroll(r[0]).reorder({r[0], x}).vectorize(x);
  return {"half_blur", out, {in, weights}, {}};
}

GoldenKernel concat() {
  const Input first("first", Float(32), {3, 8}), second("second", Float(32), {5, 8});
  Func out("out");
  out(y, x) = select(y < 3, first(clamp(y, 0, 2), x), second(clamp(y - 3, 0, 4), x));
  out.bound({8, 8}).vectorize(x).gpu_blocks(y);
  return {"concat", out, {first, second}, {}};
}

GoldenKernel floor_division() {
  const Input a("a", Int(32), {40}), d("d", Int(32), {40});
  Func out("out");
  out(x) = a(x) / d(x) * 100 + a(x) % d(x) + a(x) / 7 - a(x) % 8;
  out.bound({40}).vectorize(x, 4).gpu_blocks(x);
  return {"floor_division", out, {a, d}, {}};
}

/// Vectors of narrow integers and of bools, where C's conversions do not help.
GoldenKernel narrow_vectors() {
  const Input a("a", Int(8), {40}), d("d", Int(8), {40}), u("u", UInt(8), {40}), p("p", Bool(), {40}),
      q("q", Bool(), {40});
  Func out("out");
  out(x) = cast(Int(32), a(x) / d(x)) + cast(Int(32), a(x) % d(x)) * 300 +
           cast(Int(32), u(x) / cast(UInt(8), a(x))) * 7 + select(p(x) < q(x), 100000, 0) +
           select(p(x) <= q(x), 200000, 0) + select(cast(Bool(), a(x)), 400000, 0);
  out.bound({40}).vectorize(x, 4).gpu_blocks(x);
  return {"narrow_vectors", out, {a, d, u, p, q}, {}};
}

GoldenKernel scan() {
  const Input in("in", Int(32), {4, 10});
  const RDom r({{1, 9}}, "r");
  Func out("out");
  out(y, x) = in(y, x);
  out(y, r) += out(y, r - 1);
  out.bound({4, 10}).gpu_tile(x, y, {10, 4});
  out.update().gpu_tile(y, 4);
  return {"scan", out, {in}, {}};
}

GoldenKernel gather_bool() {
  const Input in("in", Int(64), {16}), index("index", Int(32), {24});
  Func out("out");
  out(x) = in(clamp(index(x), 0, 15)) > 0 || index(x) == 3;
  out.bound({24}).vectorize(x, 4).gpu_tile(x, 2);
  return {"gather_bool", out, {in, index}, {}};
}

/// Names that OpenCL has already.
GoldenKernel taken_names() {
  const Input in("float4", Float(32), {16});
  const Param shift("vload4");
  Func staged("vstore4"), out("convert_int4");
  staged(x) = in(x)*4.0f;
  out(x) = cast(Int(32), staged(x)) + shift;
  out.bound({16}).vectorize(x, 4).gpu_blocks(x);
  staged.compute_root().vectorize(x, 4).gpu_blocks(x);
  return {"taken_names", out, {in}, {{"vload4", 5}}};
}

}  // namespace

std::vector<GoldenKernel> golden_kernels() {
  return {scale(),
          blur_edges(),
          transpose(),
          matmul(),
          matmul_symbolic(),
          streamed_matmul(),
          convolution(),
          depthwise(),
          max_pool(),
          softmax(),
          dot_i8(),
          dot_products(),
          saxpy_f16(),
          local_tile(),
          concat(),
          floor_division(),
          narrow_vectors(),
          scan(),
          gather_bool(),
          taken_names(),
          texture_convolution(),
          texture_autobroadcast(),
          local_matmul(),
          sub_group_matvec(),
          sub_group_product(),
          half_blur()};
}

}  // namespace tensordsl::golden
