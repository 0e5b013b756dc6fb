// sum(...), argmax(...), RDom::where, unsafe_promise_clamped.
#include <doctest/doctest.h>

#include "pipeline/describe.h"
#include "schedule/func_schedule.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y");

std::string text_of(const Func& f) { return describe_definitions({f.shared()}); }

}  // namespace

TEST_CASE("inline reductions: a Func over the Vars that the value uses") {
  const RDom r({{0, 3}, {1, 2}}, "r");
  const Input in("in", Float(32), {8, 8});
  Func f("f");
  f(y, x) = sum(in(y, x + r[0]) * cast(Float(32), r[1]), "s") + 1.0f;
  CHECK(text_of(f) ==
        "input in(d0, d1): f32 [8, 8]\ns(y, x) = 0.0\n"
        "s(y, x) = s(y, x):f32 + in(y, x + r_0):f32*f32(r_1)\n  for r_0 in [0, 3)\n  for r_1 in [1, 3)\n"
        "f(y, x) = s(y, x):f32 + 1.0\n");
}

TEST_CASE("inline reductions: argmax is a tuple of the place and the value, from the first point on") {
  const RDom r({{2, 3}}, "r");
  const Input in("in", Int(8), {8});
  Func f("f");
  f(x) = argmax(in(r), "best")[0];
  CHECK(text_of(f) ==
        "input in(d0): i8 [8]\nbest() = {2, -128:i8}\n"
        "best() = {select(best().1:i8 < in(r_0):i8, r_0, best().0), select(best().1:i8 < in(r_0):i8, "
        "in(r_0):i8, "
        "best().1:i8)}\n  for r_0 in [2, 5)\nf(x) = best().0\n");
}

TEST_CASE("inline reductions: axes of another domain stay indices") {
  const RDom r({{0, 3}}, "r"), k({{0, 4}}, "k");
  const Input a("a", Float(32), {3, 4});
  Func f("f");
  f(x) += sum(k, a(r, k), "s") * 2.0f;
  CHECK(text_of(f).find("s(r_0) = s(r_0):f32 + a(r_0, k_0):f32\n  for k_0 in [0, 4)") != std::string::npos);
  CHECK(text_of(f).find("f(x) = f(x):f32 + s(r_0):f32*2.0\n  for r_0 in [0, 3)") != std::string::npos);
}

TEST_CASE("inline reductions: what is not one reduction is refused") {
  const RDom r({{0, 3}}, "r"), k({{0, 4}}, "k");
  CHECK_THROWS_WITH_AS(sum(Expr(x)), "sum(...): the value uses no RDom; index with the axes of one",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(maximum(Expr(r) + k),
                       "maximum(...): the value uses the reduction domains \"r\" and \"k\"; name the one to "
                       "reduce, as in maximum(r, value)",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(argmin(r, Expr(k)),
                       "argmin(...): the value does not use the RDom r; index with its axes",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(product(Expr()), "product(...): the value is undefined", DefinitionError);
}

TEST_CASE("where: the condition is part of the domain, wherever its axes were taken") {
  RDom r({{0, 8}}, "r");
  const Input in("in", Int(32), {8});
  const Expr early = r[0];
  r.where(early <= y);
  r.where(in(r) > 0);
  Func f("f");
  f(y) += in(early);
  CHECK(text_of(f) ==
        "input in(d0): i32 [8]\nf(y) = 0\nf(y) = f(y) + in(r_0)\n  for r_0 in [0, 8)\n"
        "  where r_0 <= y && 0 < in(r_0)\n");
}

TEST_CASE("where: what it may not use is refused") {
  RDom r({{0, 8}}, "r"), k({{0, 4}}, "k");
  CHECK_THROWS_WITH_AS(r.where(r[0] + 1), "RDom r: where(...): the condition must be a Bool expression",
                       DefinitionError);
  r.where(r[0] < x);
  Func f("f");
  CHECK_THROWS_WITH_AS(
      f(y) += r, "f: the Var \"x\" is not an index of the left side; add it there, or use an RDom or a Param",
      DefinitionError);
  RDom other({{0, 8}}, "other");
  other.where(other[0] < k[0]);
  Func g("g");
  CHECK_THROWS_WITH_AS(
      g(y) += other,
      "g: where(...) uses two reduction domains, \"other\" and \"k\"; put all axes into one RDom",
      DefinitionError);
}

TEST_CASE("where: a reduction whose condition reads what it computes keeps its order") {
  RDom r({{0, 4}, {0, 4}}, "r");
  Func f("f");
  f(x) = 0;
  r.where(f(x) < 10);
  f(x) += r[0] + r[1];
  CHECK_THROWS_AS(f.update().reorder({r[1], r[0]}), ScheduleError);
}

TEST_CASE("promise: the interpreter says where it is broken") {
  const Input at("at", Int(32), {3}), in("in", Int(32), {4});
  Func f("f");
  f(x) = in(unsafe_promise_clamped(at(x), 0, 3));
  f.bound({3});
  Buffer places(Int(32), {3}), data(Int(32), {4});
  for (int i = 0; i < 4; ++i) data.set_int(i, 10 * i);
  for (int i = 0; i < 3; ++i) places.set_int(i, 3 - i);
  const std::map<std::string, Buffer> inputs{{"at", places}, {"in", data}};
  CHECK(Pipeline(f).interpret(inputs)[0].get_int(0) == 30);
  CHECK(Pipeline(f).simulate(inputs)[0].get_int(2) == 10);
  CHECK(Pipeline(f).emit("cl").find("out[x] = in[at[") == std::string::npos);
  places.set_int(1, 4);
  CHECK_THROWS_WITH_AS(Pipeline(f).interpret({{"at", places}, {"in", data}}),
                       "interpret: f(1) needs an index that unsafe_promise_clamped promises to be in [0, 3], "
                       "but it is 4; fix the promise, or use clamp",
                       DefinitionError);
  CHECK_THROWS_AS(Pipeline(f).simulate({{"at", places}, {"in", data}}), Error);
  CHECK_THROWS_WITH_AS(unsafe_promise_clamped(1.5f, 0, 3),
                       "unsafe_promise_clamped(...): needs integers, found f32", DefinitionError);
}

}  // namespace tensordsl
