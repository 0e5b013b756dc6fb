// Funcs of tuples and Funcs without dimensions.
#include <doctest/doctest.h>

#include "pipeline/describe.h"
#include "schedule/func_schedule.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y");

std::string text_of(const Func& f) { return describe_definitions({f.shared()}); }

}  // namespace

TEST_CASE("tuple: a Func has a type for each component, and is read by component") {
  Func f("f"), g("g");
  f(x) = {x, cast(Float(32), x), x > 3};
  CHECK(f.outputs() == 3);
  CHECK(f.types() == std::vector<Type>{Int(32), Float(32), Bool()});
  g(x) = select(f(x)[2], f(x)[1], 0.0f);
  CHECK(text_of(g) == "f(x) = {x, f32(x), 3 < x}\ng(x) = select(f(x).2:bool, f(x).1:f32, 0.0)\n");
  const Tuple all = f(x + 1);
  CHECK(all.size() == 3);
  CHECK(to_string(all[1]) == "f(x + 1).1:f32");
}

TEST_CASE("tuple: an update names all components, one of them, or adds to each") {
  const RDom r({{0, 4}}, "r");
  Func f("f");
  f(x) = {0, 0.0f};
  f(x) = Tuple(f(x)[0] + 1, f(x)[1] * 2.0f);
  f(x)[1] += cast(Float(32), r);
  f(x) += Tuple(r, 0.5f);
  CHECK(text_of(f) ==
        "f(x) = {0, 0.0}\n"
        "f(x) = {f(x).0 + 1, f(x).1:f32*2.0}\n"
        "f(x) = {f(x).0, f(x).1:f32 + f32(r_0)}\n  for r_0 in [0, 4)\n"
        "f(x) = {f(x).0 + r_0, f(x).1:f32 + 0.5}\n  for r_0 in [0, 4)\n");
  Func sums("sums");
  sums(x) += Tuple(r, 1.5f);
  CHECK(text_of(sums).starts_with("sums(x) = {0, 0.0}\nsums(x) = {sums(x).0 + r_0, sums(x).1:f32 + 1.5}"));
}

TEST_CASE("tuple: what does not fit is refused by name") {
  Func f("f"), g("g");
  CHECK_THROWS_WITH_AS(f.type(), "f has no type before it is defined", DefinitionError);
  f(x) = {0, 0.0f};
  CHECK_THROWS_WITH_AS(f.type(), "f.type(): the values are tuples of 2; use types()", DefinitionError);
  CHECK_THROWS_WITH_AS(f(x) = 1, "f: the update has 1 value, but the Func was defined with 2",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(f(x) += 1, "f: the update has 1 value, but the Func was defined with 2",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(g(x) = f(x) + 1, "f: the values are tuples of 2; read a component, as in f(...)[0]",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(g(x) = f(x)[2], "f(...)[2]: the values have 2 components", DefinitionError);
  CHECK_THROWS_WITH_AS((f(x) = Tuple(0.5f, 0.0f)),
                       "f: the update has type f32, but the Func has type i32; convert the value with "
                       "cast(Int(32), ...), or define f as f32",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Tuple(std::vector<Expr>()), "Tuple(): needs at least one value", DefinitionError);
  CHECK_THROWS_WITH_AS(Tuple(Expr(1), Expr()), "Tuple(): value 1 is undefined", DefinitionError);
  CHECK_THROWS_WITH_AS(Tuple(1, 2)[2], "Tuple[2]: the index is out of range; the tuple has 2 values, 0 to 1",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(select(Expr(x) > 0, Tuple(1, 2), Tuple(1, 2, 3)),
                       "select(...): one Tuple has 2 values, the other 3", DefinitionError);
  const RDom r({{0, 4}}, "r");
  Func s("s");
  s(x) += Tuple(r, r);
  CHECK_THROWS_WITH_AS(s.update().rfactor(r[0], y),
                       "s.update(0).rfactor(r_0, y): s computes tuples, whose components cannot be combined "
                       "separately; define the partial results as a Func with one more dimension, the part",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(s.update().gpu_lanes(r[0]),
                       "s.update(0).gpu_lanes(r_0): the Func computes tuples, and a sub-group reduces single "
                       "values; use gpu_threads for the reduction",
                       ScheduleError);
}

TEST_CASE("tuple: the loops of a sum of each component may be reordered, those of another update not") {
  const RDom r({{0, 4}, {0, 5}}, "r");
  Func sums("sums"), last("last");
  sums(x) += Tuple(r[0], r[1]);
  CHECK_NOTHROW(sums.update().reorder({r[1], r[0]}));
  last(x) = {0, 0};
  last(x) = Tuple(last(x)[1], last(x)[0] + r[0] + r[1]);
  CHECK_THROWS_AS(last.update().reorder({r[1], r[0]}), ScheduleError);
}

TEST_CASE("a Func and an Input may have no dimensions") {
  const RDom r({{0, 4}}, "r");
  const Input gain("gain", Float(32), {}), in("in", Float(32), {4});
  Func total("total"), out("out");
  total() += in(r);
  out(x) = in(x)*gain() / total();
  CHECK(text_of(out) ==
        "input in(d0): f32 [4]\ninput gain(): f32 []\ntotal() = 0.0\n"
        "total() = total():f32 + in(r_0):f32\n  for r_0 in [0, 4)\n"
        "out(x) = in(x):f32*gain():f32/total():f32\n");
  CHECK(total.rank() == 0);
  total.bound({}).layout("");
  CHECK_THROWS_WITH_AS(
      total.set_image(Image2D),
      "total.set_image(Image2D): a tensor without dimensions cannot be an image; keep the buffer",
      ScheduleError);
}

TEST_CASE("a constant of any integer type is a size and an index") {
  const std::size_t size = 8;
  const std::int64_t place = 3;
  const Input in("in", Int(32), {size});
  Func f("f");
  f(x) = in(place);
  f.bound({size});
  CHECK(text_of(f) == "input in(d0): i32 [8]\nf(x) = in(3)\n");
  CHECK_THROWS_AS(f.bound({std::int64_t{1} << 40}), ScheduleError);
}

}  // namespace tensordsl
