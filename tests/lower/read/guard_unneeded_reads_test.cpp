// Tests that values computed without being needed read inside their inputs: the simulator checks every
// access.
#include <doctest/doctest.h>

#include "ir/text/print.h"
#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), xo("xo"), xi("xi"), xoo("xoo"), xoi("xoi");
const Param n("n");

Buffer counted(const std::vector<std::int64_t>& shape) {
  Buffer b(Int(32), shape);
  for (std::int64_t i = 0; i < b.elements(); ++i) b.set_int(i, i + 1);
  return b;
}

lower::LoweredPipeline lowered(const Func& f, std::string* nest = nullptr) {
  lower::LowerOptions options;
  options.verify = true;
  if (nest) {
    options.observer = [nest](const lower::StepResult& result) {
      if (result.step.gives == lower::Stage::Nests) *nest += ir::print(result.stmt);
    };
  }
  return lower::lower(f.shared(), options);
}

void check_size(const Func& f, std::int64_t size, const std::map<std::string, Buffer>& inputs) {
  const ParamValues params{{"n", size}};
  const Buffer expected = runtime::interpret(f.shared(), {size}, {inputs, params});
  const Buffer found = simulate(lowered(f), inputs, params);
  for (std::int64_t i = 0; i < expected.elements(); ++i) CHECK(found.get_int(i) == expected.get_int(i));
}

}  // namespace

TEST_CASE("unneeded reads: a tile of several guarded splits that is longer than what its loops use") {
  const Input in("in", Int(32), {n + 4, 1});
  Func out("out");
  out(x) = in(x % 5, x * 3);
  out.bound({n});
  Func tile = in.in(out);
  out.split(x, xo, xi, 4).split(xo, xoo, xoi, 3).vectorize(xoi, 4);
  tile.compute_at(out, xoo);
  check_size(out, 1, {{"in", counted({5, 1})}});
}

TEST_CASE("unneeded reads: Tail::RoundUp past the end of a producer with a bound()") {
  const Input in("in", Int(32), {8});
  Func f("f"), out("out");
  f(x) = in(x)*2;
  out(x) = f((x + 1) / 2 + x % 2);
  f.compute_root().bound({4});
  out.bound({n}).layout("x/4 x%4").vectorize(x, 4, Tail::RoundUp);
  check_size(out, 5, {{"in", counted({8})}});
}

TEST_CASE("unneeded reads: what reads a Func that nobody needs is not computed either") {
  const Param m("m");
  const Var y("y"), t("t");
  const Input in("in", Int(32), {n, m});
  Func g("g"), f("f"), out("out");
  g(x, y) = in(clamp(x, 0, Expr(n) - 1), y);
  f(x, y) = g(x, y);
  out(x, y) = f(x, y) + 1;
  out.bound({n, m}).fuse(x, y, t);
  f.compute_root();
  g.compute_root();
  for (const int rows : {0, 2}) {
    const Buffer data = counted({rows, 3});
    CHECK(simulate(lowered(out), {{"in", data}}, {{"n", rows}, {"m", 3}}).elements() == rows * 3);
  }
}

TEST_CASE("unneeded reads: a tile that nobody needs does not read a Func that is not computed then") {
  const Var z("z");
  const Input in("in", Int(32), {n + 1});
  Func whole("whole"), tile("tile"), out("out");
  whole(x) = in(x) + 1;
  tile(x) = whole(x + 1) * 2;
  out(z, x) = BoundaryConditions::zero(tile, {1})(x - 3);
  out.bound({2, n});
  whole.compute_root();
  tile.compute_at(out, z).store_in(MemoryScope::Local);
  for (const int size : {0, 3, 5}) {
    const Buffer data = counted({size + 1});
    const ParamValues params{{"n", size}};
    const Buffer found = simulate(lowered(out), {{"in", data}}, params);
    const Buffer expected = runtime::interpret(out.shared(), {2, size}, {{{"in", data}}, params});
    for (std::int64_t i = 0; i < expected.elements(); ++i) CHECK(found.get_int(i) == expected.get_int(i));
  }
}

TEST_CASE("unneeded reads: what the definitions read gets no test") {
  const Input in("in", Int(32), {n + 2});
  const auto nest_of = [&](auto&& schedule) {
    Func out("out");
    out(x) = in(x) + in(x + 1) + in(x + 2);
    out.bound({n});
    schedule(out);
    std::string nest;
    lowered(out, &nest);
    return nest;
  };
  const auto has_test = [](const std::string& nest) { return nest.find("select") != std::string::npos; };
  CHECK(!has_test(nest_of([&](Func& out) { out.vectorize(x, 4).gpu_tile(Var("x.o"), 8); })));
  CHECK(!has_test(nest_of([&](Func& out) {
    out.split(x, xo, xi, 8);
    in.in(out).compute_at(out, xo).store_in(Local);
  })));
}

}  // namespace tensordsl
