// Tests that pipelines that are too large or too deep are refused early.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "backends/opencl/emit/emit_opencl.h"
#include "lower/lower.h"
#include "lower/pass_text.h"
#include "pipeline/describe.h"
#include "runtime/host/interpreter.h"
#include "simulate/simulator.h"

namespace tensordsl::lower {
namespace {

const Var x("x"), y("y"), z("z"), xo("xo"), xi("xi"), yo("yo"), yi("yi"), zo("zo"), zi("zi");

LoweredPipeline lowered(const Func& output) {
  return lower(output.shared(), {.observer = nullptr, .verify = true});
}

std::string definition_error(const Func& output) {
  return error_of<DefinitionError>([&] { lowered(output); });
}

std::string schedule_error(const Func& output) {
  return error_of<ScheduleError>([&] { lowered(output); });
}

/// Returns the depth to which brackets nest.
int bracket_depth(const std::string& text) {
  int depth = 0, deepest = 0;
  for (const char c : text) {
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

/// first - (first - (first - ...)), so deep.
Expr tower(const Expr& first, int levels) {
  Expr result = first;
  while (result->levels < levels) result = first - result;
  return result;
}

}  // namespace

TEST_CASE("limits: tensors that a 32-bit index does not reach are refused") {
  Func out("out"), big("big");
  out(y, x) = x + y;
  out.bound({65536, 65536});
  CHECK(schedule_error(out) ==
        "out: 4294967296 elements exceed the limit of a 32-bit index, 2130706432; split the tensor");
  out.bound({46000, 46000});
  CHECK(schedule_error(out) == "no error");

  const Input in("in", Int(8), {1 << 30, 1 << 30, 1 << 30});
  Func corner("corner");
  corner(x) = in(x, x, x);
  corner.bound({4});
  CHECK(schedule_error(corner) ==
        "in: 2^63 or more elements exceed the limit of a 32-bit index, 2130706432; split the tensor");
}

TEST_CASE("limits: padding counts") {
  Func out("out");
  out(y, x) = x + y;
  out.bound({1, 20000}).layout("y/200000 x y%200000");
  CHECK(schedule_error(out) ==
        "out: 4000000000 elements exceed the limit of a 32-bit index, 2130706432; split the tensor");
}

TEST_CASE("limits: an index that leaves 32 bits is outside its Input") {
  const Input in("in", Int(32), {8});
  Func out("out");
  out(x) = in(x * 65536);
  out.bound({65536});
  CHECK(definition_error(out) ==
        "out reads in at [0, 4294901761) of dimension 0 (d0), but its extent is 8; use a BoundaryCondition, "
        "clamp the index, "
        "or bound the Func");
}

TEST_CASE("limits: a Func that is read further apart than an index reaches is refused") {
  Func f("f"), out("out");
  f(x) = x;
  f.compute_root();
  out(x) = f(x * 65536);
  out.bound({65536});
  CHECK(schedule_error(out).find("the limit of a 32-bit index") != std::string::npos);
}

TEST_CASE("limits: unrolling nested loops is refused before there are too many copies") {
  Func out("out");
  out(y, x) = x + y;
  out.bound({4096, 4096}).unroll(x).unroll(y);
  CHECK(schedule_error(out) ==
        "unroll: loop \"out.y\" of 4096 iterations would make 16777216 stores, more than the limit of 16384; "
        "unroll fewer of the loops inside it");
}

TEST_CASE("limits: selects whose sides share what is below them take no time that doubles with each") {
  const Input in("in", Int(32), {8});
  Func out("out");
  Expr value = in(x);
  for (int i = 0; i < 40; ++i) value = select(in(7 - x) < i, value + 1, value * 2 - i);
  out(x) = value;
  out.bound({8});
  Buffer data(Int(32), {8});
  for (int i = 0; i < 8; ++i) data.set_int(i, i % 3);
  CHECK(runtime::interpret(out.shared(), {8}, {{{"in", data}}, {}}).elements() == 8);
  const std::string text = describe_definitions({out.shared()});
  CHECK(text.size() < 20000);
  CHECK(text.find("let t.0 = ") == text.find("let"));
  CHECK(opencl::emit(lowered(out).kernels[0]).text.size() < 20000);
}

TEST_CASE("limits: reads that guard the next ones have text that grows with their number") {
  const Input in("in", Int(32), {64});
  const auto text_of = [&](int reads) {
    Func out("out");
    Expr index = x;
    for (int i = 0; i < reads; ++i) index = select(index < 64, in(clamp(index, 0, 63)), x + i);
    out(x) = index;
    out.bound({64});
    return opencl::emit(lowered(out).kernels[0]).text.size();
  };
  CHECK(text_of(24) < 2 * text_of(12));
}

TEST_CASE("limits: a kernel whose text would never end is refused") {
  Func out("out");
  out(x) = x;
  out.bound({8});
  LoweredKernel kernel = lowered(out).kernels[0];
  Expr value = x;
  for (int i = 0; i < 40; ++i) value = value * value + value;
  kernel.body = ir::make_store("out", value, {Expr(0)});
  CHECK(error_of<ScheduleError>([&] { opencl::emit(kernel); }) ==
        "an expression of a kernel has more than 4 MiB of text; move part of it into a Func with "
        "compute_root()");
}

TEST_CASE("limits: sums that share their terms stay short") {
  const Input in("in", Float(32), {8});
  Func out("out");
  Expr value = in(x);
  for (int i = 0; i < 60; ++i) value = value * value + value;
  out(x) = value;
  out.bound({8});
  CHECK(opencl::emit(lowered(out).kernels[0]).text.size() < 20000);
  CHECK(to_string(value).size() < 11000);
}

TEST_CASE("limits: an expression as deep as may be is lowered, in text that compilers accept") {
  const Input in("in", Float(32), {8});
  Func out("out"), behind("behind");
  out(x) = tower(in(x), ir::kMaxLevelsDefined);
  out.bound({8}).vectorize(x, 4);
  const std::string text = opencl::emit(lowered(out).kernels[0]).text;
  CHECK(text.size() > 10000);
  CHECK(bracket_depth(text) < 200);
  behind(x) = select(in(7 - x) < 4.0f, tower(in(x), 300), 0.0f);
  behind.bound({8});
  LoweredKernel kernel = lowered(behind).kernels[0];
  CHECK(bracket_depth(opencl::emit(kernel).text) < 200);
  kernel.body = ir::make_store("behind", tower(ir::make_float(Float(32), 1), 300), {Expr(0)});
  CHECK(error_of<ScheduleError>([&] {
          opencl::emit(kernel);
        }).find("OpenCL compilers take 250; move part of it into a Func with compute_root()") !=
        std::string::npos);
  CHECK(error_of<DefinitionError>([] { tower(Expr(Var("z")), ir::kMaxLevels + 1); }) ==
        "an expression is more than 4000 operators deep; move part of it into a Func with compute_root()");
  Func deep("deep");
  CHECK(error_of<DefinitionError>([&] { deep(x) = tower(Expr(x), ir::kMaxLevelsDefined + 1); }) ==
        "deep: the expression is 1501 operators deep, and the limit is 1500; move part of it into a Func "
        "with compute_root()");
}

TEST_CASE("limits: a sum of a thousand terms takes no time to speak of") {
  for (const Type type : {Int(32), Float(32)}) {
    const Input in("in", type, {2000});
    Func out("out");
    Expr sum = in(x);
    for (int i = 1; i < 1000; ++i) sum = sum + in(x + i) * (i % 7);
    out(x) = sum;
    out.bound({1000}).vectorize(x, 4);
    CHECK(opencl::emit(lowered(out).kernels[0]).text.size() > 10000);
  }
}

TEST_CASE("limits: a chain of Funcs may be long, but not endless") {
  std::vector<Func> chain;
  const auto extend = [&] {
    Func next;
    next(x) = chain.empty() ? Expr(x) : chain.back()(x) + 1;
    chain.push_back(next);
  };
  for (int i = 0; i < 1000; ++i) extend();
  chain.back().bound({4});
  CHECK(lowered(chain.back()).kernels.size() == 1);
  extend();
  const std::string text =
      ": it starts a chain of more than 1000 Funcs that read each other; realize part of the pipeline, and "
      "pass the result as an Input";
  CHECK(definition_error(chain.back()) == chain[0].name() + text);
  for (int i = 0; i < 50000; ++i) extend();  // which is taken down without recursion
  CHECK(definition_error(chain.back()).find(text) != std::string::npos);
}

TEST_CASE("limits: a chain that updates make is one too") {
  std::vector<Func> chain(50000);
  for (std::size_t i = 0; i < chain.size(); ++i) chain[i](x) = static_cast<int>(i);
  for (std::size_t i = chain.size() - 1; i > 0; --i) chain[i](x) += chain[i - 1](x);
  CHECK(definition_error(chain.back()).find("more than 1000 Funcs that read each other") !=
        std::string::npos);
}

TEST_CASE("limits: a fused loop is no longer than an index reaches") {
  Func f("f");
  f(y, x) = x + y;
  f.bound({5, 5})
      .split(x, xo, xi, 1 << 16)
      .split(y, yo, yi, 1 << 16)
      .reorder({yo, xo, yi, xi})
      .fuse(yi, xi, Var("t"));
  CHECK(schedule_error(f) ==
        "f: fuse(yi, xi, t): the fused loop would have 4294967296 iterations, more than the limit of a "
        "32-bit index, 2130706432; do not fuse these loops");
}

TEST_CASE("limits: inlining a chain of stencils takes no time that doubles with each") {
  const Input in("in", Float(32), {100});
  std::vector<Func> chain;
  for (int i = 0; i < 40; ++i) {
    Func next;
    next(x) = chain.empty() ? in(x) : chain.back()(x) + chain.back()(x + 1) * 0.5f;
    chain.push_back(next);
  }
  chain.back().bound({8});
  CHECK(opencl::emit(lowered(chain.back()).kernels[0]).text.size() > 1000);
}

TEST_CASE("limits: indices and conditions that share their parts take no time that doubles with each") {
  const Input in("in", Int(32), {100});
  Func indexed("indexed"), chosen("chosen"), interpreted("interpreted");
  Expr index = x, flag = x < 3, value = x;
  for (int i = 0; i < 40; ++i) {
    index = (index * 7 + index / 3) % 100;
    flag = select(flag, x > i, !flag) || (flag && x % (i + 2) == 0);
    value = select(value % 3 == 0, value / 2, value + 1) % 1000;
  }
  indexed(x) = in(index);
  indexed.bound({8});
  CHECK(lowered(indexed).kernels.size() == 1);
  chosen(x) = select(flag, 1, 2);
  chosen.bound({8});
  CHECK(lowered(chosen).kernels.size() == 1);
  interpreted(x) = value;
  CHECK(runtime::interpret(interpreted.shared(), {8}, {}).elements() == 8);
}

TEST_CASE("limits: a Param does not take the place of an output's extent") {
  const Param p("f_extent_0");
  Func f("f");
  f(x) = x * p;
  CHECK(definition_error(f) ==
        "\"f_extent_0\" names both a Param that f uses and an extent of f, which has no bound(); rename the "
        "Param");
}

TEST_CASE("limits: RoundUp of an extent known at launch must not make an Input be read past its end") {
  const Param n("n");
  const Input in("in", Int(32), {n});
  Func f("f"), out("out");
  f(x) = in(x);
  f.compute_root().vectorize(x, 4, Tail::RoundUp);
  out(x) = f(x) + 1;
  out.bound({n});
  CHECK(schedule_error(out) ==
        "in would be read at [0, (n + 3)/4*4) of dimension 0 (d0), which may exceed its extent n, because "
        "Tail::RoundUp computes extra points; use Tail::Guard, or a BoundaryCondition");
  Func g("g"), last("last");
  g(x) = in(clamp(x, 0, n - 1));
  g.compute_root().vectorize(x, 4, Tail::RoundUp);
  last(x) = g(x) + 1;
  last.bound({n});
  CHECK(schedule_error(last) == "no error");
}

TEST_CASE(
    "limits: RoundUp of an extent known at launch is right where a boundary condition stands before each "
    "read") {
  const Param n("n");
  const Input in("in", Int(32), {n});
  const RDom r({{0, 3}}, "r");
  const std::vector<std::function<void(Func&)>> definitions{
      [&](Func& f) { f(x) += BoundaryConditions::zero(in, {n})(x + r - 1); },
      [&](Func& f) { f(x) = in(clamp(x - 1, 0, Expr(n) - 1)); },
      [&](Func& f) { f(x) = BoundaryConditions::repeat_edge(in, {n})(x - 1); },
      [&](Func& f) { f(x) = BoundaryConditions::zero(in, {n})(x * 2 - 1); },
  };
  for (const auto& define : definitions) {
    Func f("f"), out("out");
    define(f);
    out(x) = f(x);
    out.bound({n});
    f.compute_root().split(x, xo, xi, 8, Tail::RoundUp);
    CHECK(schedule_error(out) == "no error");
  }
}

TEST_CASE("limits: RoundUp of one Func does not hold up what others read") {
  const Param n("n");
  const Input a("a", Float(32), {n});
  Func g("g"), h("h"), f("f");
  h(x) = a(x) * 2.0f;
  g(x) = cast(Float(32), x) * 2.0f;
  f(x) = g(x) + h(x);
  f.bound({n}).gpu_tile(x, 8);
  h.compute_at(f, Var("x.b"));
  g.compute_root().split(x, xo, xi, 4, Tail::RoundUp);
  CHECK(schedule_error(f) == "no error");
}

TEST_CASE("limits: RoundUp of a tile in a loop over an extent known at launch is held to the same") {
  const Param n("n");
  const Input in("in", Int(32), {n});
  Func f("f"), out("out");
  f(x) = in(x);
  out(x) = f(x) + 1;
  out.bound({n}).split(x, xo, xi, 4, Tail::Guard);
  f.compute_at(out, xo).vectorize(x, 4, Tail::RoundUp);
  CHECK(schedule_error(out).find("which may exceed its extent n") != std::string::npos);
}

TEST_CASE("limits: two Params of one name have one type") {
  const Param n("n"), real("n", Float(32));
  Func out("out");
  out(x) = cast(Float(32), x + n) * real;
  out.bound({4});
  CHECK(definition_error(out) ==
        "two Params of one pipeline are named \"n\", one of type i32 and one of f32; rename one of them");
}

TEST_CASE("limits: a tile that a work-item of an outer thread loop has alone is not spread over the others") {
  Func f("f"), out("out");
  f(z, y, x) = x + y * 10 + z * 100;
  out(z, y, x) = f(z, y, x) + f(z, y, x + 1);
  out.bound({4, 4, 4}).reorder({y, z, x}).gpu_threads(x, y);
  f.compute_at(out, y).gpu_threads(x);
  const std::string error = schedule_error(out);
  CHECK(error.find("f: ") == 0);
  CHECK(error.find("gpu_threads") != std::string::npos);
}

TEST_CASE("limits: a Func of an update's own reads is computed inside a guarded loop of vectors") {
  const RDom r({{0, 5}}, "r");
  const Input a("a", Int(32), {9, 5});
  Func h("h"), acc("acc"), out("out");
  h(x) = a(x, 0);
  acc(x) += a(x, r) * h(x);
  out(x) = acc(x) + h(x);
  h.compute_root();
  out.bound({9}).split(x, xo, xi, 4, Tail::Guard).vectorize(xi);
  acc.compute_at(out, xo).vectorize(x, 4, Tail::Guard);
  acc.update().vectorize(x, 4, Tail::Guard);
  Buffer data(Int(32), {9, 5});
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set_int(i, i % 7);
  const Buffer expected = runtime::interpret(out.shared(), {9}, {{{"a", data}}, {}});
  const Buffer found = simulate(lowered(out), {{"a", data}}, {});
  for (std::int64_t i = 0; i < 9; ++i) CHECK(found.get_int(i) == expected.get_int(i));
}

TEST_CASE("limits: an update's kernel does not take the name of a Func") {
  const RDom r({{0, 3}}, "r");
  Func f("f"), other("f_update0"), out("out");
  f(x) += x + r;
  f.compute_root();
  other(x) = x;
  other.compute_root();
  out(x) = f(x) + other(x);
  out.bound({4});
  std::set<std::string> names;
  for (const LoweredKernel& kernel : lowered(out).kernels) CHECK(names.insert(kernel.name).second);
}

}  // namespace tensordsl::lower
