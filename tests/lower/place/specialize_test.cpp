// Kernels for a part of the launches: which loops they get, when they run, and refusals.
#include <doctest/doctest.h>

#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi");
const Param n("n");

struct Scale {
  Input a{"a", Float(32), {n}};
  Func f{"f"};
  Scale() {
    f(x) = a(x) * 2.0f;
    f.bound({n});
  }
};

std::string launch(const Program& p, std::size_t kernel) {
  return to_string(p.kernels.at(kernel).launch.groups[0]);
}

/// The pipeline of `output` computes what the interpreter does, with n = 0, 1, 3, ... .
void check_results(const Func& output, const std::vector<std::int64_t>& sizes, bool reads_more = false) {
  for (const std::int64_t size : sizes) {
    CAPTURE(size);
    Buffer data(Float(32), {size + (reads_more ? 2 : 0)});
    for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 7 % 11));
    const ParamValues params{{"n", size}};
    const Buffer expected = runtime::interpret(output.shared(), {size}, {{{"a", data}}, params});
    const Buffer found = simulate(lower::lower(output.shared()), {{"a", data}}, params);
    for (std::int64_t i = 0; i < size; ++i) CHECK(found.get(i) == expected.get(i));
  }
}

}  // namespace

TEST_CASE("specialize: a factor that is known to divide needs no test, and the others keep theirs") {
  Scale s;
  Stage fours = s.f.specialize(n % 4 == 0);
  fours.split(x, xo, xi, 4, Tail::Exact).vectorize(xi).gpu_blocks(xo);
  s.f.gpu_blocks(x);
  const Program p = Pipeline(s.f).compile();
  REQUIRE(p.kernels.size() == 2);
  CHECK(p.kernels[0].entry == "f_specialized0_kernel");
  CHECK(p.kernels[0].text.find("if (") == std::string::npos);
  CHECK(p.kernels[0].text.find("float4*)") != std::string::npos);
  CHECK(launch(p, 0) == "select(n%4 == 0, n/4, 0)");
  CHECK(p.kernels[1].entry == "f_kernel");
  CHECK(launch(p, 1) == "select(n%4 != 0, n, 0)");
  check_results(s.f, {0, 1, 3, 4, 5, 7, 8, 17, 64});
}

TEST_CASE("specialize: a known value is a constant of the kernel; the first condition that holds wins") {
  Scale s;
  s.f.specialize(n == 8).vectorize(x, 8, Tail::Exact);
  s.f.specialize(n >= 5 && n % 2 == 0).gpu_tile(x, 2, Tail::Exact);
  const Program p = Pipeline(s.f).compile();
  REQUIRE(p.kernels.size() == 3);
  CHECK(p.kernels[0].text.find("*(__global float8*)") != std::string::npos);
  CHECK(p.kernels[0].text.find("for (") == std::string::npos);
  CHECK(launch(p, 0) == "select(n == 8, 1, 0)");
  check_results(s.f, {0, 1, 2, 4, 5, 6, 7, 8, 10, 17});
}

TEST_CASE("specialize: ShiftInwards knows the least extent, and tests no point") {
  Scale s;
  s.f.specialize(n >= 16).vectorize(x, 16, Tail::ShiftInwards);
  s.f.specialize(n % 2 == 0 && 4 <= n).vectorize(x, 4, Tail::ShiftInwards);
  const Program p = Pipeline(s.f).compile();
  REQUIRE(p.kernels.size() == 3);
  for (const std::size_t kernel : {0, 1}) CHECK(p.kernels[kernel].text.find("if (") == std::string::npos);
  CHECK(p.kernels[0].text.find("vload16") != std::string::npos);
  check_results(s.f, {0, 1, 2, 3, 4, 5, 6, 7, 10, 15, 16, 17, 29, 31, 32, 33, 64});
}

TEST_CASE("specialize: tiles of blocks that ShiftInwards moves are inside the Input") {
  const Input a("a", Float(32), {n + 2});
  Func g("g"), f("f");
  g(x) = a(x) + a(x + 1);
  f(x) = g(x) * g(x + 1);
  f.bound({n});
  f.specialize(n >= 8).split(x, xo, xi, 8, Tail::ShiftInwards).gpu_blocks(xo).gpu_threads(xi);
  f.split(x, xo, xi, 8);
  g.compute_at(f, xo);
  check_results(f, {0, 1, 3, 7, 8, 9, 15, 16, 17}, true);
}

TEST_CASE("specialize: ShiftInwards is refused where the condition allows fewer points") {
  Scale s;
  s.f.specialize(n >= 15).vectorize(x, 16, Tail::ShiftInwards);
  CHECK_THROWS_WITH_AS(Pipeline(s.f).compile(),
                       "f.specialization(0): split(x, x.o, x.v, 16, Tail::ShiftInwards): the extent n is not "
                       "known to be at least 16; use Tail::Guard, or specialize() the stage for such extents",
                       ScheduleError);
}

TEST_CASE("specialize: gpu_threads takes an extent that the condition bounds") {
  Scale s;
  s.f.specialize(n <= 48).gpu_threads(x);
  const Program p = Pipeline(s.f).compile();
  REQUIRE(p.kernels.size() == 2);
  CHECK(p.kernels[0].launch.group_size[0] == 48);
  CHECK(launch(p, 0) == "select(n < 49, 1, 0)");
  check_results(s.f, {0, 1, 2, 17, 47, 48, 49});
}

TEST_CASE("specialize: what is computed in the loops is computed in the specialization's too") {
  const Input a("a", Float(32), {n + 2});
  const auto define = [&](int missing_loop) {
    Func g("g"), f("f");
    g(x) = a(x) + a(x + 1);
    f(x) = g(x) * g(x + 1);
    f.bound({n}).split(x, xo, xi, 8);
    g.compute_at(f, xo);
    Stage eights = f.specialize(n % 8 == 0);
    if (missing_loop == 1) eights.unroll(xo, 2);
    eights.gpu_blocks(missing_loop == 1 ? Var("xo.o") : xo).vectorize(xi);
    return f;
  };
  const Func f = define(0);
  CHECK(Pipeline(f).compile().kernels.size() == 2);
  check_results(f, {0, 1, 3, 8, 16, 17}, true);
  CHECK_THROWS_WITH_AS(
      Pipeline(define(1)).compile(),
      "g.compute_at(f, xo): f.specialization(0) has no such loop, but all its specializations need it",
      ScheduleError);
}

TEST_CASE("specialize: an update has specializations of its own") {
  const Input a("a", Float(32), {n});
  const RDom r({{0, 3}}, "r");
  Func f("f");
  f(x) = a(x);
  f(x) += cast(Float(32), x * r);
  f.bound({n});
  f.update().specialize(n % 2 == 0).vectorize(x, 2, Tail::Exact);
  f.specialize(n < 4).unroll(x, 2);
  CHECK(Pipeline(f).compile().kernels.size() == 4);
  check_results(f, {0, 1, 2, 3, 4, 5, 17});
}

TEST_CASE("specialize: what cannot be obeyed is refused") {
  Scale s;
  CHECK_THROWS_WITH_AS(s.f.specialize(x == 1),
                       "f.specialize(x == 1): the condition must consist of constants and Params",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(s.f.specialize(n + 1), "f.specialize(n + 1): the condition must be a Bool expression",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(s.f.specialization(0),
                       "f.specialization(0): the index is out of range; the stage has 0 specializations",
                       ScheduleError);
  Stage variant = s.f.specialize(n % 4 == 0);
  CHECK_THROWS_WITH_AS(variant.specialize(n == 4),
                       "f.specialization(0).specialize(n == 4): a specialization cannot have "
                       "specializations; combine the conditions with &&",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(variant.unroll(y),
                       "f.specialization(0).unroll(y): unknown loop \"y\"; the loops are x", ScheduleError);
  variant.split(x, xo, xi, 8, Tail::Exact);
  CHECK_THROWS_WITH_AS(Pipeline(s.f).compile(),
                       "f.specialization(0): split(x, xo, xi, 8, Tail::Exact): 8 does not divide the extent "
                       "n; use another tail or factor",
                       ScheduleError);

  Scale rounded;
  rounded.f.specialize(n > 4).split(x, xo, xi, 4, Tail::RoundUp);
  CHECK_THROWS_WITH_AS(
      Pipeline(rounded.f).compile(),
      "f.specialization(0): split(x, xo, xi, 4, Tail::RoundUp): the condition does not imply that 4 divides "
      "n, and a specialization must not compute more points than its stage; use Tail::Guard",
      ScheduleError);

  const Input a("a", Float(32), {n});
  Func g("g"), f("f");
  g(x) = a(x) + 1.0f;
  f(x) = g(x) * 2.0f;
  f.bound({n});
  g.specialize(n == 3);
  CHECK_THROWS_WITH_AS(Pipeline(f).compile(),
                       "g.specialize(n == 3): the Func is inlined, so it has no kernel; use compute_root",
                       ScheduleError);
  g.compute_at(f, x);
  CHECK_THROWS_WITH_AS(
      Pipeline(f).compile(),
      "g.specialize(n == 3): the Func is computed inside the loops of f, but only whole "
      "kernels can be specialized; specialize the Func of that kernel that is computed at the root",
      ScheduleError);
}

}  // namespace tensordsl
