// Reductions in parts, lowered and run: what reads and writes stay inside, whatever the sizes.
#include <doctest/doctest.h>

#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), u("u"), ko("ko"), ki("ki");
const Param n("n");

Buffer numbers(std::int64_t size) {
  Buffer data(Int(32), {size});
  for (std::int64_t i = 0; i < size; ++i) data.set_int(i, i * 7 % 11 - 3);
  return data;
}

void check_results(const Func& output, std::int64_t elements, std::int64_t size) {
  CAPTURE(size);
  const std::map<std::string, Buffer> inputs{{"a", numbers(size)}};
  const ParamValues params{{"n", size}};
  const Buffer expected = runtime::interpret(output.shared(), {elements}, {inputs, params});
  lower::LowerOptions options;
  options.verify = true;
  const Buffer found = simulate(lower::lower(output.shared(), options), inputs, params);
  for (std::int64_t i = 0; i < elements; ++i) CHECK(found.get_int(i) == expected.get_int(i));
}

}  // namespace

TEST_CASE("rfactor: what is computed in the loops of the parts stays inside a symbolic Input") {
  for (const int placement : {0, 1, 2}) {
    for (const std::int64_t size : {0, 1, 3, 4, 5, 17}) {
      const Input a("a", Int(32), {n});
      const RDom r({{0, n}}, "r");
      Func g("g"), f("f");
      g(x) = a(x) + 1;
      f(x) += g(r) * x;
      f.bound({4});
      f.update().split(r[0], ko, ki, 4);
      Func part = f.update().rfactor(ki, u);
      part.compute_root();
      if (placement == 0) g.compute_at(part.update(), ko);
      if (placement == 1) g.compute_root();
      if (placement == 2) {
        g.compute_root();
        Func copy = g.in(part);
        copy.compute_at(part.update(), ko);
      }
      CAPTURE(placement);
      check_results(f, 4, size);
    }
  }
}

TEST_CASE("rfactor and split_k: an index that the reduction reads is not read past the domain") {
  for (const bool is_symbolic : {false, true}) {
    const Input a("a", Int(32), {is_symbolic ? Expr(n) : Expr(17)});
    const RDom r({{0, is_symbolic ? Expr(n) : Expr(17)}}, "r");
    Func f("f");
    f(x) = 0;
    f(clamp(a(r) + 3, 0, 6)) += 1;
    f.bound({7});
    if (is_symbolic) {
      f.update().split(r[0], ko, ki, 4);
      f.update().rfactor(ki, u).compute_root();
    } else {
      f.update().split_k(r[0], 4, u);
    }
    check_results(f, 7, 17);
  }
}

TEST_CASE("rfactor of an rfactor, and both within a work-group") {
  const Input a("a", Int(32), {100});
  const RDom r({{0, 100}}, "r");
  Func f("f");
  f(x) += a(r) * x;
  f.bound({5}).gpu_blocks(x);
  Func runs = f.update().split_k(r[0], 7, u);
  const Var lane("lane");
  Func lanes = runs.update().split(r[0], ko, ki, 4).rfactor(ki, lane);
  f.update().gpu_blocks(x);
  runs.compute_at(f.update(), x).store_in(Local).gpu_threads(u);
  runs.update().gpu_threads(u);
  lanes.compute_at(runs.update(), u);
  check_results(f, 5, 100);
}

TEST_CASE("gpu_lanes: a guarded axis that is no part of the sub-group keeps its test") {
  const Input a("a", Int(32), {112});
  const RDom r({{0, 7}, {0, 16}}, "r");
  Func f("f");
  f(x) = 0;
  f(r[0]) += a(r[0] * 16 + r[1]);
  f.bound({7});
  f.update().split(r[0], ko, ki, 4).gpu_blocks(ko).gpu_lanes(r[1]);
  check_results(f, 7, 112);
}

TEST_CASE("gpu_lanes: an update that writes where its reduction says is refused") {
  const Input a("a", Int(32), {16});
  const RDom r({{0, 16}}, "r");
  Func f("f"), histogram("histogram");
  f(x) = 0;
  f(r) += a(r);
  CHECK_THROWS_WITH_AS(
      f.update().gpu_lanes(r[0]),
      "f.update(0).gpu_lanes(r_0): the update writes a different element, r_0, in each iteration, so there "
      "is nothing to reduce; reduce over an axis that only the value uses",
      ScheduleError);
  histogram(x) = 0;
  histogram(clamp(a(r), 0, 6)) += 1;
  CHECK_THROWS_AS(histogram.update().split(r[0], ko, ki, 4).gpu_lanes(ki), ScheduleError);
}

TEST_CASE("rfactor_in_half: parts are halves, of several loops at once, and are added up in f32") {
  const Input a("a", Float(16), {3, 5, 8, 16}), b("b", Float(16), {3, 8, 16});
  const RDom r({{0, 3}, {0, 8}, {0, 16}}, "r");
  const Var part("part"), whole("whole");
  Func f("f"), out("out");
  f(x) += cast<float>(a(r[0], x, r[1], r[2])) * cast<float>(b(r[0], r[1], r[2]));
  out(x) = f(x);
  out.bound({5}).gpu_blocks(x).half_arithmetic();
  f.compute_at(out, x);
  Func parts = f.update()
                   .split(r[1], Var("outer"), Var("inner"), 2, Tail::Exact)
                   .rfactor_in_half({r[0], Var("outer")}, {whole, part});
  CHECK(parts.name() == "f_by_part");
  CHECK(parts.type() == Float(16));
  CHECK(parts.rank() == 3);
  parts.compute_at(f.update(), part);
  Buffer A(Float(16), {3, 5, 8, 16}), B(Float(16), {3, 8, 16});
  for (std::int64_t i = 0; i < A.elements(); ++i) A.set(i, static_cast<double>(i % 7 - 3) * 0.5);
  for (std::int64_t i = 0; i < B.elements(); ++i) B.set(i, static_cast<double>(i % 5 - 2) * 0.25);
  const Pipeline pipeline(out);
  const Buffer found = pipeline.simulate({{"a", A}, {"b", B}}).at(0);
  for (std::int64_t n = 0; n < 5; ++n) {
    double sum = 0;
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 128; ++j) sum += A.get((i * 5 + n) * 128 + j) * B.get(i * 128 + j);
    CHECK(found.get(n) == sum);  // all of them are halves
  }
  const std::string text = pipeline.emit("cl");
  CHECK(text.find("half f_by_part_0;") != std::string::npos);
  CHECK(text.find("float f_0;") != std::string::npos);
  CHECK(text.find("f_0 = f_0 + (float)f_by_part_0;") != std::string::npos);
}

TEST_CASE("rfactor_in_half: the rounding of parts does not add up over all of them") {
  // Ones: of 4096 the sum of halves would stay at 2048.
  const Input a("a", Float(16), {4096});
  const RDom r({{0, 4096}}, "r");
  Func f("f"), out("out");
  f(x) += cast<float>(a(r)) * cast<float>(a(r));
  out(x) = f(x);
  out.bound({1}).half_arithmetic();
  f.compute_at(out, x);
  f.update().split(r[0], ko, ki, 32, Tail::Exact).rfactor_in_half({ko}, {u}).compute_at(f.update(), u);
  Buffer ones(Float(16), {4096});
  for (std::int64_t i = 0; i < 4096; ++i) ones.set(i, 1);
  CHECK(Pipeline(out).simulate({{"a", ones}}).at(0).get(0) == 4096);
}

TEST_CASE("rfactor_in_half: a Var may have the name of another loop that becomes a dimension") {
  const Input a("a", Float(16), {6, 8});
  const RDom r({{0, 6}, {0, 8}}, "r");
  Buffer A(Float(16), {6, 8});
  for (std::int64_t i = 0; i < 48; ++i) A.set(i, static_cast<double>(i * 7 % 13));
  Func f("f"), out("out");
  f(x) += cast<float>(a(r[0], r[1])) * cast<float>(r[0] * 3 + r[1] + 1);
  out(x) = f(x);
  out.bound({1});
  f.compute_at(out, x);
  f.update()
      .split(r[1], ko, ki, 3, Tail::Guard)
      .rfactor_in_half({ko, ki}, {ki, ko})
      .compute_at(f.update(), ko);
  const Pipeline pipeline(out);
  CHECK(pipeline.simulate({{"a", A}}).at(0).get(0) == pipeline.interpret({{"a", A}}).at(0).get(0));
  double expected = 0;
  for (std::int64_t i = 0; i < 6; ++i)
    for (std::int64_t j = 0; j < 8; ++j) expected += A.get(i * 8 + j) * static_cast<double>(i * 3 + j + 1);
  CHECK(pipeline.simulate({{"a", A}}).at(0).get(0) == expected);
}

TEST_CASE("rfactor_in_half: a schedule of no loops is refused when it is read") {
  const Input a("a", Float(16), {8});
  const RDom r({{0, 8}}, "r");
  Func f("f");
  f(x) += cast<float>(a(r));
  const Schedule schedule =
      Schedule::from_json(R"({"version":1,"directives":[{"func":"f","stage":1,"directive":"rfactor_in_half",)"
                          R"("arguments":[[],[]]}]})");
  CHECK(schedule.to_cpp("schedule").find("rfactor_in_half({}, {})") != std::string::npos);
  CHECK_THROWS_AS(schedule.apply({f}), ScheduleError);
}

TEST_CASE("rfactor_in_half: a Var for each loop, and sums that are f32") {
  const Input a("a", Int(32), {16}), h("h", Float(16), {16, 16});
  const RDom r({{0, 16}}, "r"), s({{0, 16}, {0, 16}}, "s");
  Func whole("whole"), f("f");
  whole(x) += a(r);
  f(x) += cast<float>(h(s[0], s[1]));
  const Var v("v");
  CHECK_THROWS_WITH_AS(whole.update().rfactor_in_half({r[0]}, {u}),
                       "whole.update(0).rfactor_in_half({r_0}, {u}): whole has type i32; partial sums in f16 "
                       "need a sum in f32",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(f.update().rfactor_in_half({s[0], s[1]}, {u}),
                       "f.update(0).rfactor_in_half({s_0, s_1}, {u}): found 2 loops and 1 Vars; pass at "
                       "least one loop, and one Var for each loop",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(f.update().rfactor_in_half({}, {}),
                       "f.update(0).rfactor_in_half({}, {}): found 0 loops and 0 Vars; pass at least one "
                       "loop, and one Var for each loop",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(
      f.update().rfactor_in_half({s[0], s[0]}, {u, v}),
      "f.update(0).rfactor_in_half({s_0, s_0}, {u, v}): loop \"s_0\" is listed twice; list it once",
      ScheduleError);
  CHECK_THROWS_WITH_AS(f.update().rfactor_in_half({s[0], s[1]}, {u, u}),
                       "f.update(0).rfactor_in_half({s_0, s_1}, {u, u}): \"u\" is named twice; use a "
                       "different Var for each loop",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(f.update().rfactor_in_half({x}, {u}),
                       "f.update(0).rfactor_in_half({x}, {u}): loop \"x\" is not a reduction loop; pass a "
                       "reduction loop of the update",
                       ScheduleError);
  CHECK(f.update().rfactor_in_half({s[0], s[1]}, {u, v}).rank() == 3);
}

TEST_CASE("rfactor: of a part's name there is one, and it is an identifier") {
  const Input a("a", Int(32), {16}), h("h", Float(16), {16});
  const RDom r({{0, 16}}, "r"), s({{0, 16}}, "s");
  Func f("f"), halves("halves");
  f(x) += a(r);
  f(x) += a(s) * 2;
  f.update(0).split_k(r[0], 4, u);
  CHECK_THROWS_WITH_AS(
      f.update(1).split_k(s[0], 2, u),
      "f.update(1).split_k(s_0, 2, u): there is already a Func f_by_u of partial results; use another Var",
      ScheduleError);
  CHECK_THROWS_WITH_AS(
      f.update(1).split_k(s[0], 2, Var("a b")),
      "f.update(1).split_k(s_0, 2, a b): the Func of partial results would be named \"f_by_a b\", which is "
      "not an OpenCL identifier; use a Var whose name has only letters, digits and '_'",
      ScheduleError);
  halves(x) = cast(Float(16), Expr(0.0f));
  halves(x) += h(r);
  CHECK_THROWS_WITH_AS(halves.update().split_k(r[0], 4, u),
                       "halves.update(0).split_k(r_0, 4, u): halves has type f16, so every step rounds; use "
                       "f32, and convert in a Func that reads it",
                       ScheduleError);
}

TEST_CASE("specialize: an output without elements, and conditions that never hold") {
  for (const Expr& condition : {n == 0, n <= 0, n < -4}) {
    for (const std::int64_t size : {0, 1, 5}) {
      const Input a("a", Int(32), {n});
      Func f("f");
      f(x) = a(x) + 1;
      f.bound({n}).specialize(condition);
      check_results(f, size, size);
    }
  }
  Func g("g");
  g(x) = x;
  const Param q("q", Float(32));
  CHECK_THROWS_WITH_AS(g.specialize(q == 1.0f),
                       "g.specialize(q:f32 == 1.0): the host evaluates the condition, with integers only; "
                       "compare integer Params and constants",
                       ScheduleError);
}

TEST_CASE("compute_at: a loop that later directives took apart is named with what became of it") {
  const Input a("a", Int(32), {16});
  Func g("g"), f("f");
  const Var xo("xo"), xi("xi");
  g(x) = a(x);
  f(x) = g(x);
  f.bound({16});
  g.compute_at(f, x);
  f.split(x, xo, xi, 2);
  CHECK_THROWS_WITH_AS(Pipeline(f).compile(),
                       "g.compute_at(f, x): f no longer has a loop \"x\"; its loops are xo, xi; call "
                       "compute_at after the directives that make them",
                       ScheduleError);
  // Nor is it part of a schedule once it is overridden.
  g.compute_at(f, xo);
  Func g2("g"), f2("f");
  g2(x) = a(x);
  f2(x) = g2(x);
  Schedule::of(f).apply(f2);
  CHECK(Pipeline(f2).emit("cl") == Pipeline(f).emit("cl"));
}

TEST_CASE("in: definitions come before it") {
  const Input a("a", Int(32), {16});
  Func f("f");
  f(x) = a(x);
  a.in(f).compute_root();
  CHECK_THROWS_WITH_AS(f(x) += a(x),
                       "f: found an update after a.in(f), which has rewritten the definitions of f; add all "
                       "updates before this call",
                       DefinitionError);
}

}  // namespace tensordsl
