// compute_with: two stages in the same loops.
#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi");

struct Two {
  Input in{"in", Float(32), {16, 16}};
  Func twice{"twice"}, sum{"sum"};
  RDom r{{{0, 3}}, "r"};
  Two() {
    twice(y, x) = in(y, x) * 2.0f;
    sum(y, x) += in(y, x + r);
    twice.bound({8, 12});
    sum.bound({6, 12});
  }
  std::vector<Func> outputs() const { return {twice, sum}; }
  void check_result() const {
    Buffer data(Float(32), {16, 16});
    for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i % 13));
    const auto expected = Pipeline(outputs()).interpret({{"in", data}});
    const auto found = Pipeline(outputs()).simulate({{"in", data}});
    REQUIRE(found.size() == 2);
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::int64_t i = 0; i < expected[k].elements(); ++i) CHECK(found[k].get(i) == expected[k].get(i));
    }
  }
};

}  // namespace

TEST_CASE("compute_with: the kernels of two stages become one, the shorter loop is tested") {
  Two two;
  two.sum.compute_with(two.twice, y);
  CHECK("\n" + Pipeline(two.outputs()).print_loop_nest() == R"(
kernel twice
  for y in [0, 8)
    for x in [0, 12)
      twice(...) = ... in(...)
    if twice.y < 6
      for x in [0, 12)
        sum(...) = ...
kernel sum_update0
  for y in [0, 6)
    for x in [0, 12)
      for r_0 in [0, 3)
        sum(...) = ... sum(...), in(...)
)");
  two.check_result();
}

TEST_CASE("compute_with: stages find a place between those that they depend on") {
  Two two;
  two.twice.gpu_tile(x, y, {4, 2});
  two.sum.gpu_tile(x, y, {4, 2});
  two.sum.update().gpu_tile(x, y, {4, 2}).compute_with(two.twice, x);
  two.check_result();
  CHECK(Pipeline(two.outputs()).compile().kernels.size() == 2);
}

TEST_CASE("compute_with: what both read is computed once, in their loops") {
  const Input in("in", Float(32), {18});
  Func shared("shared"), a("a"), b("b");
  shared(x) = in(x) + in(x + 1) + in(x + 2);
  a(x) = shared(x) * 2.0f;
  b(x) = shared(x) + 1.0f;
  a.bound({16});
  b.bound({16});
  b.compute_with(a, x);
  shared.compute_at(a, x);
  CHECK("\n" + Pipeline(std::vector<Func>{a, b}).print_loop_nest() == R"(
kernel a
  for x in [0, 16)
    private shared: f32 [1]
      shared(...) = ... in(...)
      a(...) = ... shared(...)
      b(...) = ... shared(...)
)");
}

TEST_CASE("compute_with: stages of different extents share a tile in local memory") {
  const Input in("in", Float(32), {64, 64});
  Func shared("shared"), f("f"), g("g");
  shared(y, x) = in(y, x) * 2.0f;
  f(y, x) = shared(y, x) + shared(y, x + 1);
  g(y, x) = shared(y + 1, x) * 3.0f;
  f.bound({30, 20}).gpu_tile(x, y, {8, 4});
  g.bound({20, 40}).gpu_tile(x, y, {8, 4});
  g.compute_with(f, Var("x.t"));
  shared.compute_at(f, Var("x.b")).store_in(Local).gpu_threads(x, y);
  Buffer data(Float(32), {64, 64});
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i % 31));
  const Pipeline pipeline({f, g});
  CHECK(pipeline.compile().kernels.size() == 1);
  const auto expected = pipeline.interpret({{"in", data}}), found = pipeline.simulate({{"in", data}});
  for (std::size_t o = 0; o < expected.size(); ++o) {
    REQUIRE(found[o].elements() == expected[o].elements());
    for (std::int64_t i = 0; i < expected[o].elements(); ++i) CHECK(found[o].get(i) == expected[o].get(i));
  }
}

TEST_CASE("compute_with: what cannot share loops is refused by name") {
  const auto error = [](auto change) {
    Two two;
    return error_of<ScheduleError>([&] {
      change(two);
      Pipeline(two.outputs()).compile();
    });
  };
  CHECK(error([](Two& t) { t.sum.compute_with(t.sum.update(), y); }) ==
        "sum.compute_with(sum.update(0), y): the stage must belong to another Func");
  CHECK(error([](Two& t) { t.sum.compute_with(t.twice, Var("z")); }) ==
        "sum.compute_with(twice, z): unknown loop \"z\"; the loops are y, x");
  CHECK(error([](Two& t) { t.twice.compute_with(t.sum.update(), t.r[0]); }) ==
        "twice.compute_with(sum.update(0), r_0): sum.update(0) has the loops y, x, r_0 up to that one, but "
        "this stage has only y, x; loops are joined pairwise from the outermost, so split this stage, or "
        "name a loop further out");
  CHECK(error([](Two& t) {
          t.twice.gpu_blocks(y);
          t.sum.compute_with(t.twice, y);
        }) ==
        "sum.compute_with(twice, y): loop \"sum.y\" is serial, but \"twice.y\" is block0; give both the same "
        "kind");
  CHECK(error([](Two& t) {
          t.twice.autobroadcast();
          t.sum.compute_with(t.twice, y);
        }) ==
        "sum.compute_with(twice, y): autobroadcast() and half_arithmetic() apply to a whole kernel; call "
        "them on both Funcs or on neither");
  CHECK(error([](Two& t) {
          t.sum.compute_with(t.twice, y);
          t.sum.update().compute_with(t.sum, y);
        }) == "sum.update(0).compute_with(sum, y): the stage must belong to another Func");

  const Input in("in", Float(32), {16});
  Func a("a"), b("b");
  a(x) = in(x);
  b(x) = a(x) * 2.0f;
  a.compute_root();
  b.bound({16});
  a.compute_with(b, x);
  CHECK(error_of<ScheduleError>([&] { Pipeline(b).compile(); }) ==
        "a.compute_with(b, x): one of the two stages reads the other; use compute_at instead");
}

TEST_CASE(
    "compute_with: a Func between two stages, which reads one and is read by the other, keeps them apart") {
  const Input in("in", Float(32), {16});
  Func first("first"), between("between"), last("last");
  first(x) = in(x);
  between(x) = first(x) + 1.0f;
  last(x) = between(x) * 2.0f;
  last.bound({16});
  first.compute_root();
  between.compute_root();
  last.compute_with(first, x);
  CHECK(error_of<ScheduleError>([&] { Pipeline(last).compile(); }) ==
        "last.compute_with(first, x): a Func that is computed between the two stages depends on one and "
        "feeds the other; drop compute_with(), or use compute_at");
}

}  // namespace tensordsl::lower
