#include "docs/schedule_examples.h"

#include <functional>
#include <utility>

namespace tensordsl::docs {
namespace {

const Var x("x"), y("y"), c("c"), xo("xo"), xi("xi"), yo("yo"), yi("yi"), t("t"), ko("ko"), ki("ki"), u("u"),
    run("run"), lane("lane"), half("half"), quarter("quarter"), quad("quad"), pair("pair");

/// The Funcs that the examples schedule. All are 16 x 64 unless they say otherwise.
struct Pipelines {
  Param n{"n"};
  Input image{"image", Float(32), {20, 66}, {"y", "x"}};
  Input weights{"weights", Float(32), {16, 256}}, vector{"vector", Float(32), {256}};
  Input a{"a", Float(32), {16, 64}, {"y", "x"}}, scale{"scale", Float(32), {16}}, any{"any", Float(32), {n}},
      halves{"halves", Float(16), {64}};
  Input left{"left", Float(16), {16, 64}}, right{"right", Float(16), {8, 64}};
  RDom r{{{0, 256}}, "r"}, k{{{0, 64}}, "k"};
  Func f{"f"}, blur_x{"blur_x"}, blur{"blur"}, sum{"sum"}, g{"g"}, h{"h"}, e{"e"}, d{"d"}, product{"product"},
      m{"m"};

  Pipelines() {
    // [definitions]
    f(y, x) = a(y, x) * scale(y);
    f.bound({16, 64});
    blur_x(y, x) = image(y, x) + image(y, x + 1) + image(y, x + 2);
    blur(y, x) = blur_x(y, x) + blur_x(y + 1, x) + blur_x(y + 2, x);
    blur.bound({16, 64});
    sum(y) += weights(y, r) * vector(r);
    sum.bound({16});
    g(x) = any(x) + 1.0f;
    g.bound({n});
    h(x) = cast(Float(16), halves(x) * 2.0f + 1.0f);
    h.bound({64});
    e(y, x) = a(y, x) + 1.0f;
    d(y, x) = f(y, x) - e(y, x);
    d.bound({16, 64});
    product(y, x) += cast<float>(left(y, k)) * cast<float>(right(x, k));
    m(y, x) = max(product(y, x), 0.0f);
    m.bound({16, 8});
    // [end]
  }
};

using Directives = void (*)(Pipelines&);

ScheduleExample make(std::string name, std::string directive, Func Pipelines::*output, std::string code,
                     Directives first, Directives shown, std::string stage) {
  Pipelines before, after;
  first(before);
  first(after);
  shown(after);
  return {std::move(name), std::move(directive), std::move(code),
          before.*output,  after.*output,        std::move(stage)};
}

}  // namespace

// The text of the directives is compiled. FIRST comes before them in both columns.
#define EXAMPLE(NAME, DIRECTIVE, OUTPUT, STAGE, FIRST, ...)                                             \
  make(                                                                                                 \
      NAME, DIRECTIVE, &Pipelines::OUTPUT, #__VA_ARGS__,                                                \
      [](Pipelines& p) {                                                                                \
        [[maybe_unused]] auto& [n, image, weights, vector, a, scale, any, halves, left, right, r, k, f, \
                                blur_x, blur, sum, g, h, e, d, product, m] = p;                         \
        FIRST;                                                                                          \
      },                                                                                                \
      [](Pipelines& p) {                                                                                \
        [[maybe_unused]] auto& [n, image, weights, vector, a, scale, any, halves, left, right, r, k, f, \
                                blur_x, blur, sum, g, h, e, d, product, m] = p;                         \
        __VA_ARGS__;                                                                                    \
      },                                                                                                \
      STAGE)

std::vector<ScheduleExample> schedule_examples() {
  return {
    EXAMPLE("split", "split", f, "nest", , f.split(x, xo, xi, 8, Tail::Exact)),
        EXAMPLE("split_guard", "split", f, "nest", , f.split(x, xo, xi, 24, Tail::Guard)),
        EXAMPLE("split_shift_inwards", "split", f, "nest", , f.split(x, xo, xi, 24, Tail::ShiftInwards)),
        EXAMPLE("split_round_up", "split", blur, "nest", blur_x.compute_root(),
                blur_x.split(y, yo, yi, 4, Tail::RoundUp)),
        EXAMPLE("split_guard_tile", "split", blur, "nest", , blur.split(x, xo, xi, 24, Tail::Guard);
                blur_x.compute_at(blur, xo)),
        EXAMPLE("split_shift_inwards_tile", "split", blur, "nest", ,
                blur.split(x, xo, xi, 24, Tail::ShiftInwards);
                blur_x.compute_at(blur, xo)),
        EXAMPLE("fuse", "fuse", f, "nest", , f.fuse(y, x, t)),
        EXAMPLE("reorder", "reorder", f, "nest", , f.reorder({x, y})),
        EXAMPLE("tile", "tile", f, "nest", , f.tile(y, x, yo, xo, yi, xi, 4, 8)),
        EXAMPLE("unroll", "unroll", f, "nest", , f.unroll(x, 4)),
        EXAMPLE("unroll_cl", "unroll", f, "cl", , f.unroll(x, 4)),
        EXAMPLE("vectorize", "vectorize", f, "nest", , f.vectorize(x, 4)),
        EXAMPLE("vectorize_cl", "vectorize", f, "cl", , f.vectorize(x, 4)),
        EXAMPLE("gpu_blocks", "gpu_blocks", f, "nest", , f.gpu_blocks(x, y)),
        EXAMPLE("gpu_threads", "gpu_threads", f, "nest", , f.gpu_blocks(y).gpu_threads(x)),
        EXAMPLE("gpu_threads_update", "gpu_threads", m, "nest", m.gpu_tile(x, y, {4, 4});
                product.compute_at(m, Var("x.b")).store_in(Local).gpu_threads(x, y),
                product.update().gpu_threads(x, y)),
        EXAMPLE("gpu_lanes", "gpu_lanes", sum, "nest", sum.gpu_blocks(y),
                Func part = sum.update().split(r[0], ko, ki, 32).rfactor(ki, u);
                sum.update().gpu_blocks(y).gpu_lanes(u); part.compute_at(sum.update(), u)),
        EXAMPLE("matrix_multiply", "matrix_multiply", m, "nest",
                m.split(y, half, quarter, 8).split(x, quad, pair, 2).reorder({quarter, quad, half, pair});
                m.fuse(quarter, quad, lane).gpu_threads(lane); product.compute_at(m, lane);
                product.update().split(k[0], ko, ki, 16).reorder({ko, y, x, ki}),
                product.update().matrix_multiply(y, x, ki)),
        EXAMPLE("gpu_tile", "gpu_tile", f, "nest", , f.gpu_tile(x, y, {16, 4})),
        EXAMPLE("rfactor", "rfactor", sum, "nest", , sum.update().split(r[0], ko, ki, 32);
                sum.update().rfactor(ki, u).compute_root()),
        EXAMPLE("rfactor_in_half", "rfactor_in_half", m, "cl", m.gpu_blocks(y).half_arithmetic();
                product.compute_at(m, x), product.update().split(k[0], ko, ki, 32, Tail::Exact);
                Func part = product.update().rfactor_in_half({ko}, {u});
                part.compute_at(product.update(), u)),
        EXAMPLE("split_k", "split_k", sum, "nest", , sum.update().split_k(r[0], 8, u)),
        EXAMPLE("split_k_group", "split_k", sum, "nest", sum.gpu_blocks(y),
                Func parts = sum.update().split_k(r[0], 8, u);
                sum.update().gpu_blocks(y); parts.compute_at(sum.update(), y).store_in(Local).gpu_threads(u);
                parts.update().gpu_threads(u)),
        EXAMPLE("specialize", "specialize", g, "nest", ,
                g.specialize(n % 4 == 0).vectorize(x, 4, Tail::Exact)),
        EXAMPLE("compute_root", "compute_root", blur, "nest", , blur_x.compute_root()),
        EXAMPLE("compute_at", "compute_at", blur, "nest", , blur_x.compute_at(blur, y)),
        EXAMPLE("compute_at_runs", "compute_at", blur, "nest", ,
                blur.split(x, xo, xi, 32).split(xi, run, u, 16).split(u, t, lane, 4);
                blur.reorder({y, xo, t, run, lane}); blur_x.compute_at(blur, t)),
        EXAMPLE("store_at", "store_at", blur, "nest", blur.reorder({x, y});
                blur_x.compute_at(blur, y), blur_x.store_at(blur, x)),
        EXAMPLE("store_at_registers", "store_at", blur, "cl", blur.reorder({x, y}).gpu_blocks(x).unroll(y, 3);
                blur_x.compute_at(blur, y).unroll(y), blur_x.compute_at(blur, Var("y.u")).store_at(blur, x)),
        EXAMPLE("fold_storage", "fold_storage", blur, "cl", blur.reorder({x, y});
                blur_x.compute_at(blur, y).store_at(blur, x), blur_x.fold_storage(y, 4)),
        EXAMPLE("compute_with", "compute_with", d, "nest", f.compute_root();
                e.compute_root(), e.compute_with(f, x)),
        EXAMPLE("compute_inline", "compute_inline", blur, "nest", blur_x.compute_root(),
                blur_x.compute_inline()),
        EXAMPLE("bound", "bound", f, "cl", , f.bound({16, 4}).unroll(x)),
        EXAMPLE("layout", "layout", f, "cl", , f.layout("x y")),
        EXAMPLE("layout_blocked", "layout", f, "cl", , f.layout("y/4 x y%4")),
        EXAMPLE("layout_padded", "layout", f, "cl", , f.layout("y x+4")),
        EXAMPLE("layout_part", "layout", f, "cl", , f.layout("y 64+x+32")),
        EXAMPLE("layout_swizzled", "layout", f, "cl", , f.layout("y x^y/2%4*4")),
        EXAMPLE("align_storage", "align_storage", f, "cl", , f.align_storage(x, 48)),
        EXAMPLE("set_image", "set_image", f, "cl", f.vectorize(x, 4, Tail::Exact),
                a.layout("y | x/4 | x%4").set_image(Image2D);
                f.layout("y | x/4 | x%4").set_image(Image2D)),
        EXAMPLE("in", "in", blur, "nest", blur_x.compute_root().split(x, xo, xi, 16),
                image.in(blur_x).compute_at(blur_x, xo)),
        EXAMPLE("store_in_local", "store_in", blur, "nest",
                blur.split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo, y).gpu_threads(xi),
                blur_x.compute_at(blur, xo).store_in(Local).gpu_threads(x)),
        EXAMPLE("store_in_sub_group", "store_in", sum, "cl", Func tile = vector.in(sum); sum.gpu_tile(y, 8);
                sum.update().gpu_tile(y, 8).split(r[0], ko, ki, 8, Tail::Exact);
                tile.compute_at(sum.update(), ko),
                sum.producer("vector_in_sum").store_in(SubGroup).gpu_threads(Var("d0"))),
        EXAMPLE("store_in_constant", "store_in", sum, "cl", , weights.store_in(MemoryScope::Constant)),
        EXAMPLE("double_buffer", "double_buffer", sum, "nest", Func tile = vector.in(sum); sum.gpu_tile(y, 8);
                sum.update().gpu_tile(y, 8).split(r[0], ko, ki, 8, Tail::Exact);
                tile.compute_at(sum.update(), ko).store_in(Local).gpu_threads(Var("d0")),
                sum.producer("vector_in_sum").double_buffer()),
        EXAMPLE("trace_loads", "trace_loads", f, "trace", , scale.trace_loads()),
        EXAMPLE("trace_stores", "trace_stores", f, "trace", , f.trace_stores()),
        EXAMPLE("half_arithmetic", "half_arithmetic", h, "cl", , h.half_arithmetic()),
        EXAMPLE("autobroadcast", "autobroadcast", f, "cl", f.vectorize(x, 4, Tail::Exact), f.autobroadcast()),
  };
}

#undef EXAMPLE

}  // namespace tensordsl::docs
