// Tests the effect of each directive on the loops of a stage, and its errors.
#include "tensordsl/stage.h"

#include <doctest/doctest.h>

#include "ir/text/print.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/func.h"

namespace tensordsl {
namespace {

/// The loops, outermost first: "y x.o x.v:vectorized r_0*", reductions starred.
std::string loops(const Func& f, std::size_t stage = 0) {
  std::string text;
  for (const schedule::Axis& axis : f.contents().stages[stage].axes) {
    if (!text.empty()) text += ' ';
    text += axis.name;
    if (axis.is_reduction) text += '*';
    if (axis.loop != ir::LoopKind::Serial) text.append(":").append(ir::name_of(axis.loop));
  }
  return text;
}

const Var x("x"), y("y"), z("z"), xo("xo"), xi("xi"), yo("yo"), yi("yi"), t("t");
const RDom r({{0, 8}, {0, 4}}, "r");

/// f(z, y, x), an update that sums, and one that shifts along r_0.
struct Example {
  Func f{"f"};
  Example() {
    f(z, y, x) = 0;
    f(z, y, x) += r[0] * r[1];
    f(z, y, r[0] + 1) = f(z, y, r[0]) + r[1];
  }
};

/// g(y, x) with nothing but its pure definition.
struct Pure {
  Func g{"g"};
  Pure() { g(y, x) = y + x; }
};

}  // namespace

TEST_CASE("the loops start as one per pure variable and reduction axis, in order") {
  const Example e;
  CHECK(loops(e.f) == "z y x");
  CHECK(loops(e.f, 1) == "z y x r_0* r_1*");
  CHECK(loops(e.f, 2) == "z y r_0* r_1*");
}

TEST_CASE("split replaces a loop by two") {
  Example e;
  e.f.split(y, yo, yi, 4);
  CHECK(loops(e.f) == "z yo yi x");
  e.f.split(yi, t, Var("u"), 2, Tail::Exact);
  CHECK(loops(e.f) == "z yo t u x");
  e.f.update().split(r[0], xo, xi, 4);
  CHECK(loops(e.f, 1) == "z y x xo* xi* r_1*");
}

TEST_CASE("fuse makes one loop of two neighbors") {
  Example e;
  e.f.fuse(z, y, t);
  CHECK(loops(e.f) == "t x");
  e.f.update().fuse(r[0], r[1], t);
  CHECK(loops(e.f, 1) == "z y x t*");
}

TEST_CASE("reorder gives the named loops the order given, in the places they held") {
  Example e;
  e.f.reorder({x, z});
  CHECK(loops(e.f) == "x y z");
  e.f.update().reorder({r[1], r[0], x});
  CHECK(loops(e.f, 1) == "z y r_1* r_0* x");
}

TEST_CASE("tile splits both loops and puts the outer ones outside") {
  Example e;
  e.f.tile(y, x, yo, xo, yi, xi, 2, 4);
  CHECK(loops(e.f) == "z yo xo yi xi");
}

TEST_CASE("unroll and vectorize mark a loop, or split it first") {
  Example e;
  e.f.unroll(y).vectorize(x, 4);
  CHECK(loops(e.f) == "z y:unrolled x.o x.v:vectorized");
  e.f.update().unroll(x, 2).vectorize(y).unroll(r[0]);
  CHECK(loops(e.f, 1) == "z y:vectorized x.o x.u:unrolled r_0*:unrolled r_1*");
}

TEST_CASE("the name of a split loop stands for what is left of it") {
  Example e;
  e.f.vectorize(x, 4).unroll(x, 2).split(x, xo, xi, 3);
  CHECK(loops(e.f) == "z y xo xi x.o.u:unrolled x.v:vectorized");
  Pure p;
  p.g.gpu_tile(x, 8).unroll(y);
  CHECK(loops(p.g) == "x.b:block0 x.t:thread0 y:unrolled");
  Func consumer("consumer");
  consumer(y, x) = p.g(y, x);
  consumer.gpu_tile(x, 8);
  p.g.compute_at(consumer, x);
  CHECK(p.g.contents().level().axis == "x.t");
}

TEST_CASE("gpu_blocks and gpu_threads map axes to dimensions, the first to dimension 0") {
  Example e;
  e.f.gpu_blocks(y, z).gpu_threads(x);
  CHECK(loops(e.f) == "z:block1 y:block0 x:thread0");
  Example other;
  other.f.gpu_blocks(x, y, z);
  CHECK(loops(other.f) == "z:block2 y:block1 x:block0");
  Example threads;
  threads.f.gpu_threads(x, y, z);
  CHECK(loops(threads.f) == "z:thread2 y:thread1 x:thread0");
}

TEST_CASE("gpu_tile puts blocks outermost, then threads, dimension 0 innermost") {
  Example one, two, three;
  one.f.gpu_tile(x, 8);
  CHECK(loops(one.f) == "x.b:block0 x.t:thread0 z y");
  two.f.gpu_tile(x, z, {8, 4});
  CHECK(loops(two.f) == "z.b:block1 x.b:block0 z.t:thread1 x.t:thread0 y");
  three.f.gpu_tile(x, y, z, {8, 4, 2});
  CHECK(loops(three.f) == "z.b:block2 y.b:block1 x.b:block0 z.t:thread2 y.t:thread1 x.t:thread0");
}

TEST_CASE("a reduction axis that no two steps of which meet may be vectorized and mapped") {
  Func f("f");
  f(y, x) = 0;
  f(y, r[0]) = r[1];
  CHECK_NOTHROW(f.update().vectorize(r[0], 4));
  CHECK(loops(f, 1) == "y r_0.o* r_0.v*:vectorized r_1*");
}

TEST_CASE("placement: inline is the default of pure Funcs, root of those with updates") {
  const Pure p;
  const Example e;
  CHECK(p.g.contents().level().kind == schedule::ComputeLevel::Kind::Inline);
  CHECK(e.f.contents().level().kind == schedule::ComputeLevel::Kind::Root);
  Pure root;
  root.g.compute_root();
  CHECK(root.g.contents().level().kind == schedule::ComputeLevel::Kind::Root);
  root.g.compute_inline();
  CHECK(root.g.contents().level().kind == schedule::ComputeLevel::Kind::Inline);
}

TEST_CASE("compute_at names the consumer's stage and loop") {
  Pure p;
  Func h("h");
  h(x) = 0;
  h(x) += p.g(r[0], x);
  p.g.compute_at(h.update(), r[0]);
  CHECK(p.g.contents().level().consumer == "h");
  CHECK(p.g.contents().level().consumer_stage == 1);
  CHECK(p.g.contents().level().axis == "r_0");
}

TEST_CASE("to_string prints the directives as the C++ that makes them") {
  Example e;
  const Param n("n");
  e.f.bound({2, n, 16}).layout("z x y").split(x, xo, xi, 4, Tail::RoundUp).reorder({xi, xo}).fuse(z, y, t);
  CHECK(e.f.to_string() ==
        "f.bound({2, n, 16}).layout(\"z x y\").split(x, xo, xi, 4, Tail::RoundUp).reorder({xi, xo}).fuse(z, "
        "y, t);");
  e.f.update(1).gpu_tile(z, y, {2, 4}).unroll(r[1]).unroll(r[0], 2, Tail::Exact);
  CHECK(e.f.update(1).to_string() ==
        "f.update(1).gpu_tile(z, y, {2, 4}, Tail::Guard).unroll(r_1).unroll(r_0, 2, Tail::Exact);");
  Pure p;
  Func h("h");
  h(x) = 0;
  h(x) += p.g(r[0], x);
  p.g.compute_at(h.update(), r[0]).vectorize(x, 8, Tail::ShiftInwards).gpu_threads(y);
  CHECK(p.g.to_string() ==
        "g.compute_at(h.update(0), r_0).vectorize(x, 8, Tail::ShiftInwards).gpu_threads(y);");
  h.compute_root().gpu_tile(x, 4).compute_root();
  CHECK(h.to_string() == "h.compute_root().gpu_tile(x, 4, Tail::Guard).compute_root();");
  CHECK(Pure().g.to_string() == "g;");
}

TEST_CASE("a directive on a loop that is not there lists the loops") {
  Example e;
  CHECK_THROWS_WITH_AS(e.f.split(t, xo, xi, 4),
                       "f.split(t, xo, xi, 4, Tail::Guard): unknown loop \"t\"; the loops are z, y, x",
                       ScheduleError);
  e.f.split(x, xo, xi, 4);
  CHECK_THROWS_WITH_AS(e.f.unroll(x), "f.unroll(x): unknown loop \"x\"; the loops are z, y, xo, xi",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.update(1).vectorize(x),
                       "f.update(1).vectorize(x): unknown loop \"x\"; the loops are z, y, r_0, r_1",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.fuse(z, t, yo), "f.fuse(z, t, yo): unknown loop \"t\"; the loops are z, y, xo, xi",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.reorder({z, t}),
                       "f.reorder({z, t}): unknown loop \"t\"; the loops are z, y, xo, xi", ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.gpu_blocks(t), "f.gpu_blocks(t): unknown loop \"t\"; the loops are z, y, xo, xi",
                       ScheduleError);
  Pure p;
  CHECK_THROWS_WITH_AS(p.g.compute_at(e.f, t),
                       "g.compute_at(f, t): unknown loop \"t\"; the loops are z, y, xo, xi", ScheduleError);
}

TEST_CASE("a loop has one kind") {
  Example e;
  e.f.unroll(y).vectorize(x, 4).gpu_blocks(z);
  CHECK_THROWS_WITH_AS(e.f.unroll(y),
                       "f.unroll(y): loop \"y\" is already unrolled; a loop can have only one kind",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.vectorize(y),
                       "f.vectorize(y): loop \"y\" is already unrolled; a loop can have only one kind",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(
      e.f.split(z, xo, xi, 2),
      "f.split(z, xo, xi, 2, Tail::Guard): loop \"z\" is already a block loop; a loop can have only one kind",
      ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.fuse(z, y, t),
                       "f.fuse(z, y, t): loop \"z\" is already a block loop; a loop can have only one kind",
                       ScheduleError);
  Pure p;
  p.g.gpu_tile(x, 8);
  CHECK_THROWS_WITH_AS(
      p.g.vectorize(x, 4),
      "g.vectorize(x, 4, Tail::Guard): loop \"x.t\" is already a thread loop; a loop can have only one kind",
      ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.gpu_threads(x),
                       "g.gpu_threads(x): dimension 0 is already taken by loop \"x.t\"; map each dimension "
                       "once, all in one call",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.gpu_blocks(y),
                       "g.gpu_blocks(y): dimension 0 is already taken by loop \"x.b\"; map each dimension "
                       "once, all in one call",
                       ScheduleError);
}

TEST_CASE("a stage has one vector loop") {
  Pure p;
  p.g.vectorize(x, 4);
  CHECK_THROWS_WITH_AS(
      p.g.vectorize(y),
      "g.vectorize(y): loop \"x.v\" is already vectorized; a stage can have one vectorized loop",
      ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.vectorize(y, 2),
                       "g.vectorize(y, 2, Tail::Guard): loop \"x.v\" is already vectorized; a stage can have "
                       "one vectorized loop",
                       ScheduleError);
}

TEST_CASE("vectorize refuses widths that no device has vectors of") {
  for (const int width : {0, -4, 5, 6, 128}) {
    Pure p;
    const std::string text = "g.vectorize(x, " + std::to_string(width) +
                             ", Tail::Guard): unsupported vector width " + std::to_string(width) +
                             "; the widths are 2, 3, 4, 8 and 16, and on the host's processor also 32 and 64";
    CHECK_THROWS_WITH_AS(p.g.vectorize(x, width), text.c_str(), ScheduleError);
  }
  for (const int width : {1, 2, 3, 4, 8, 16, 32, 64}) CHECK_NOTHROW(Pure().g.vectorize(x, width));
}

TEST_CASE("split refuses factors and names that do not work") {
  Pure p;
  CHECK_THROWS_WITH_AS(p.g.split(x, xo, xi, 0),
                       "g.split(x, xo, xi, 0, Tail::Guard): the factor must be at least 1, found 0",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(
      p.g.split(x, xo, xi, 2147483647),
      "g.split(x, xo, xi, 2147483647, Tail::Guard): the factor must be at most 1048576, found 2147483647",
      ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.unroll(x, -1),
                       "g.unroll(x, -1, Tail::Guard): the factor must be at least 1, found -1",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.gpu_tile(x, 0),
                       "g.gpu_tile(x, 0, Tail::Guard): the factor must be at least 1, found 0",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(
      p.g.split(x, xo, xo, 4),
      "g.split(x, xo, xo, 4, Tail::Guard): the outer and the inner loop need different names", ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.split(x, y, xi, 4),
                       "g.split(x, y, xi, 4, Tail::Guard): the name \"y\" is already used; use a new Var",
                       ScheduleError);
  p.g.split(x, xo, xi, 4);
  CHECK_THROWS_WITH_AS(p.g.split(y, yo, x, 4),
                       "g.split(y, yo, x, 4, Tail::Guard): the name \"x\" is already used; use a new Var",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.fuse(xo, xi, y),
                       "g.fuse(xo, xi, y): the name \"y\" is already used; use a new Var", ScheduleError);
}

TEST_CASE("split refuses tails that would change the result") {
  Example e;
  CHECK_THROWS_WITH_AS(e.f.split(x, xo, xi, 4, Tail::ShiftInwards),
                       "f.split(x, xo, xi, 4, Tail::ShiftInwards): Tail::ShiftInwards computes some points "
                       "twice, which is not allowed for a Func with updates; use Tail::Guard",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(
      e.f.update().split(r[0], xo, xi, 4, Tail::RoundUp),
      "f.update(0).split(r_0, xo, xi, 4, Tail::RoundUp): Tail::RoundUp would run the reduction past its "
      "domain; use Tail::Guard or Tail::Exact",
      ScheduleError);
}

TEST_CASE("fuse asks for neighbors of one sort") {
  Example e;
  CHECK_THROWS_WITH_AS(e.f.fuse(z, x, t),
                       "f.fuse(z, x, t): the loops must be adjacent, outer loop first; the loops are z, y, "
                       "x; call reorder first",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.fuse(x, y, t),
                       "f.fuse(x, y, t): the loops must be adjacent, outer loop first; the loops are z, y, "
                       "x; call reorder first",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.update().fuse(x, r[0], t),
                       "f.update(0).fuse(x, r_0, t): one loop is a reduction and the other is not; fuse two "
                       "loops of the same kind",
                       ScheduleError);
}

TEST_CASE("reorder refuses what is listed twice or would change the result") {
  Example e;
  CHECK_THROWS_WITH_AS(e.f.reorder({x, y, x}), "f.reorder({x, y, x}): loop \"x\" is listed twice",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(
      e.f.update(1).reorder({r[1], r[0]}),
      "f.update(1).reorder({r_1, r_0}): the update is not a sum, product, minimum or maximum, so its "
      "reduction loops must stay in the order r_0, r_1",
      ScheduleError);
  CHECK_NOTHROW(e.f.update(1).reorder({r[0], y, z}));
  CHECK(loops(e.f, 2) == "r_0* y z r_1*");
}

TEST_CASE("reductions whose steps write one element are not run at once") {
  Example e;
  CHECK_THROWS_WITH_AS(e.f.update().vectorize(r[0]),
                       "f.update(0).vectorize(r_0): loop \"r_0\" is a reduction whose iterations write the "
                       "same element, so it cannot be vectorized; use a pure variable",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.update().vectorize(r[1], 4),
                       "f.update(0).vectorize(r_1, 4, Tail::Guard): loop \"r_1\" is a reduction whose "
                       "iterations write the same element, so it cannot be vectorized; use a pure variable",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(e.f.update().gpu_threads(r[1]),
                       "f.update(0).gpu_threads(r_1): loop \"r_1\" is a reduction whose iterations write the "
                       "same element, so it cannot be spread over work-items; use a pure variable",
                       ScheduleError);
  e.f.update().split(r[0], xo, xi, 4);
  CHECK_THROWS_WITH_AS(e.f.update().gpu_blocks(xo),
                       "f.update(0).gpu_blocks(xo): loop \"xo\" is a reduction whose iterations write the "
                       "same element, so it cannot be spread over work-items; use a pure variable",
                       ScheduleError);
}

TEST_CASE("a directive that throws leaves the loops as they were") {
  Example e;
  CHECK_THROWS_AS(e.f.gpu_tile(x, t, {8, 8}), ScheduleError);
  CHECK_THROWS_AS(e.f.gpu_blocks(x, t), ScheduleError);
  CHECK_THROWS_AS(e.f.reorder({y, t}), ScheduleError);
  CHECK_THROWS_AS(e.f.tile(y, t, yo, xo, yi, xi, 2, 2), ScheduleError);
  CHECK_THROWS_AS(e.f.update().vectorize(r[0], 4), ScheduleError);
  CHECK(loops(e.f) == "z y x");
  CHECK(loops(e.f, 1) == "z y x r_0* r_1*");
  CHECK(e.f.to_string() == "f;");
}

TEST_CASE("placement refuses what cannot be") {
  Example e;
  CHECK_THROWS_WITH_AS(e.f.compute_at(e.f, x),
                       "f.compute_at(f, x): a Func cannot be computed inside itself; name its consumer",
                       ScheduleError);
}

TEST_CASE("bound asks for one i32 extent per dimension, known at launch") {
  Pure p;
  CHECK_THROWS_WITH_AS(
      p.g.bound({4}),
      "g.bound({4}): found 1 extents, but the Func has 2 dimensions; pass one extent for each",
      ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.bound({4, Expr()}),
                       "g.bound({4, undefined}): every extent must be an i32 expression", ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.bound({4, 2.5f}), "g.bound({4, 2.5}): every extent must be an i32 expression",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.bound({-1, 4}), "g.bound({-1, 4}): extent -1 is negative", ScheduleError);
  CHECK_THROWS_WITH_AS(p.g.bound({4, x}),
                       "g.bound({4, x}): every extent must consist of constants and Params", ScheduleError);
  CHECK_NOTHROW(p.g.bound({Expr(Param("n")) * 2, 0}));
}

TEST_CASE("layout words its parse errors as the call's") {
  Pure p;
  CHECK_THROWS_WITH_AS(p.g.layout("y z"),
                       "g.layout(\"y z\"): unknown dimension \"z\"; the dimensions are y, x", ScheduleError);
  p.g.layout("x y");
  CHECK(p.g.contents().layout_or_default().to_string({"y", "x"}) == "x y");
}

TEST_CASE("layout takes a Layout as a value, and means by it what its notation means") {
  const std::vector<std::string> dims{"n", "c", "h", "w"};
  for (const char* notation :
       {"n h w c", "n c/4 h w c%4", "n h | c/4 w | c%4", "n c h w+4", "n c h w^h/2%4*8"}) {
    CAPTURE(notation);
    Input by_value("a", Float(32), {2, 8, 4, 16}, dims), by_text("a", Float(32), {2, 8, 4, 16}, dims);
    by_value.layout(Layout::parse(notation, dims));
    by_text.layout(notation);
    CHECK(by_value.contents().layout_or_default() == by_text.contents().layout_or_default());
    CHECK(by_value.contents().layout_or_default() != Layout::row_major(4));
    CHECK(by_value.to_string() == by_text.to_string());
  }
}

TEST_CASE("layout refuses a Layout of another number of dimensions") {
  Pure p;
  CHECK_THROWS_WITH_AS(p.g.layout(Layout::row_major(3)),
                       "g.layout(Layout): the Layout orders 3 dimensions, and g has 2 (y, x)", ScheduleError);
  CHECK(p.g.contents().log.empty());
}

TEST_CASE("an Input has a layout but no loops") {
  Input a("a", Int(32), {4, 8}, {"y", "x"});
  CHECK_NOTHROW(a.layout("x y"));
  CHECK_THROWS_WITH_AS(a.unroll(x), "a: an Input is not computed, so it has no loops to schedule",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(a.compute_root(), "a: an Input is not computed, so it has no loops to schedule",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(a.bound({4, 8}), "a: an Input is not computed, so it has no loops to schedule",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(a.trace_stores(),
                       "a.trace_stores(): an Input is not computed, so it has no stores; use trace_loads()",
                       ScheduleError);
  CHECK(a.to_string() == "a.layout(\"x y\");");
}

}  // namespace tensordsl
