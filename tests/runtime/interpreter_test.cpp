#include "runtime/host/interpreter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "schedule/func_schedule.h"
#include "support/buffers.h"
#include "tensordsl/boundary.h"
#include "tensordsl/error.h"
#include "tensordsl/func.h"
#include "tensordsl/half.h"

using namespace tensordsl;
using testing::filled;
using testing::values_of;

namespace {

using Shape = std::vector<std::int64_t>;

Buffer run(const Func& f, const Shape& shape, const runtime::InterpretArguments& arguments = {}) {
  return runtime::interpret(f.shared(), shape, arguments);
}

/// The single value of an expression.
double value(const Expr& e) {
  Func f;
  Var x;
  f(x) = e;
  return run(f, {1}).get(0);
}

using Values = std::vector<double>;

}  // namespace

TEST_CASE("interpret: a pure definition is evaluated at every point, the last dimension innermost") {
  Var y("y"), x("x");
  Func f("f");
  f(y, x) = y * 10 + x;
  CHECK(values_of(run(f, {2, 3})) == Values{0, 1, 2, 10, 11, 12});
  CHECK(run(f, {0, 3}).elements() == 0);
}

TEST_CASE("interpret: integers floor, wrap, and give 0 for a division by 0") {
  const Expr x = select(Expr(0) == 0, 0, 1);
  CHECK(value(Expr(-1) / (x + 4)) == -1);
  CHECK(value(Expr(-1) % (x + 4)) == 3);
  CHECK(value((x + 7) / (x - 2)) == -4);
  CHECK(value((x + 7) % (x - 2)) == -1);
  CHECK(value((x + 7) / x) == 0);
  CHECK(value((x + 7) % x) == 0);
  CHECK(value((x + INT32_MAX) + 1) == INT32_MIN);
  CHECK(value((x + INT32_MIN) / (x - 1)) == INT32_MIN);
  CHECK(value(cast(UInt(8), x + 200) + cast(UInt(8), x + 100)) == 44);
  CHECK(value(cast(Int(8), x + 200)) == -56);
  CHECK(value(cast(Int(64), x + 3) * Expr(std::int64_t{1} << 40)) == 3.0 * (std::int64_t{1} << 40));
  CHECK(value(cast(Bool(), x + 2)) == 1);
}

TEST_CASE("interpret: floats convert by truncation and saturate") {
  const auto at = [&](float v) { return Expr(v) + cast(Float(32), Expr(0)); };
  CHECK(value(cast(Int(32), at(-2.9f))) == -2);
  CHECK(value(cast(UInt(8), at(300.0f))) == 255);
  CHECK(value(cast(Int(8), at(-300.0f))) == -128);
  CHECK(value(cast(Int(32), at(1e20f))) == INT32_MAX);
  CHECK(value(cast(Int(32), at(NAN))) == 0);
}

TEST_CASE("interpret: arithmetic is f32, rounded at every operation") {
  const auto at = [](float v) { return Expr(v) + cast(Float(32), Expr(0)); };
  CHECK(value(at(16777216.0f) + at(1.0f) + at(1.0f)) == 16777216.0);
  CHECK(value(at(1.0f) / at(3.0f)) == 1.0f / 3.0f);
  CHECK(value(exp(at(1.5f))) == std::exp(1.5f));
  CHECK(value(round(at(2.5f))) == 2);
  CHECK(value(round(at(-3.5f))) == -4);
  CHECK(value(rsqrt(at(4.0f))) == 0.5);
  CHECK(value(pow(at(2.0f), at(10.0f))) == 1024);
  CHECK(value(abs(at(-3.0f))) == 3);
  CHECK(value(-at(0.0f)) == 0);
  CHECK(std::signbit(value(-at(0.0f))));
  CHECK(value(at(1.0f) / at(0.0f)) == INFINITY);
}

TEST_CASE(
    "interpret: arithmetic on f16 is done in f32; a cast to f16 rounds, in a definition or within one") {
  Var x("x");
  Input in("in", Float(16), {2});
  Func stored("stored"), sum("sum"), cast_sum("cast_sum");
  stored(x) = cast(Float(16), in(x) + 0.0001f);
  sum(x) = in(x) + 0.0001f - 1.0f;
  cast_sum(x) = cast(Float(16), in(x) + 0.0001f) - 1.0f;
  const runtime::InterpretArguments arguments{
      {{"in", filled(Float(16), {2}, [](std::int64_t) { return 1.0; })}}, {}};
  CHECK(run(stored, {2}, arguments).get(0) == 1.0);
  CHECK(run(sum, {2}, arguments).get(0) == (1.0f + 0.0001f) - 1.0f);
  CHECK(run(cast_sum, {2}, arguments).get(0) == 0.0);
}

TEST_CASE("interpret: updates run in order, the reduction domain's first axis outermost") {
  Var x("x");
  RDom r({{1, 3}, {0, 2}}, "r");
  Func f("f");
  f(x) = x;
  f(x) = f(x) * 10 + r[0] * 2 + r[1];
  f(2) = 7;
  CHECK(values_of(run(f, {3})) == Values{234567, 1234567, 7});
}

TEST_CASE("interpret: an update reads what earlier points wrote") {
  Var x("x");
  RDom r({{2, 8}}, "r");
  Func f("f");
  f(x) = 1;
  f(r) = f(r - 1) + f(r - 2);
  CHECK(values_of(run(f, {10})) == Values{1, 1, 2, 3, 5, 8, 13, 21, 34, 55});
  Func last("last");
  last(x) = f(x + 9);
  CHECK(run(last, {1}).get(0) == 55);
}

TEST_CASE("interpret: a histogram writes where its data says") {
  Var x("x");
  RDom r({{0, 6}}, "r");
  Input in("in", UInt(8), {6});
  Func h("h");
  h(x) = 0;
  h(cast(Int(32), in(r))) += 1;
  const runtime::InterpretArguments arguments{
      {{"in", filled(UInt(8), {6}, [](std::int64_t i) { return i % 4; })}}, {}};
  CHECK(values_of(run(h, {5}, arguments)) == Values{2, 2, 1, 1, 0});
  CHECK(values_of(run(h, {2}, arguments)) == Values{2, 2});
}

TEST_CASE("interpret: a padded convolution agrees with loops") {
  constexpr int n = 6, k = 3;
  Var y("y"), x("x");
  Input in("in", Float(32), {n, n}), w("w", Float(32), {k, k});
  Func doubled("doubled"), conv("conv"), out("out");
  doubled(y, x) = in(y, x) * 2.0f;
  Func padded = BoundaryConditions::zero(doubled, {n, n});
  RDom r({{0, k}, {0, k}}, "r");
  conv(y, x) += padded(y + r[0] - 1, x + r[1] - 1) * w(r[0], r[1]);
  out(y, x) = max(conv(y, x) - 3.0f, 0.0f);
  const Buffer a = filled(Float(32), {n, n}, [](std::int64_t i) { return std::sin(static_cast<double>(i)); });
  const Buffer b = filled(Float(32), {k, k}, [](std::int64_t i) { return std::cos(static_cast<double>(i)); });
  const Buffer result = run(out, {n, n}, {{{"in", a}, {"w", b}}, {}});
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int u = 0; u < k; ++u) {
        for (int v = 0; v < k; ++v) {
          const int p = i + u - 1, q = j + v - 1;
          const bool inside = p >= 0 && p < n && q >= 0 && q < n;
          sum = sum + (inside ? a.as<float>()[p * n + q] * 2.0f : 0.0f) * b.as<float>()[u * k + v];
        }
      }
      CHECK(result.as<float>()[i * n + j] == std::max(sum - 3.0f, 0.0f));
    }
  }
}

TEST_CASE("interpret: what a select guards may be out of range, also through another Func") {
  Var x("x");
  Input in("in", Int(32), {4});
  Func shifted("shifted"), out("out");
  shifted(x) = in(x - 2);
  out(x) = select(x % 2 == 0 && x >= 2, shifted(x), -1);
  const runtime::InterpretArguments arguments{
      {{"in", filled(Int(32), {4}, [](std::int64_t i) { return i + 5; })}}, {}};
  CHECK(values_of(run(out, {6}, arguments)) == Values{-1, -1, 5, -1, 7, -1});
}

TEST_CASE("interpret: an index that depends on an out-of-range read is harmless too if nobody needs it") {
  Var x("x");
  Input in("in", Int(32), {2});
  Func index("index"), table("table"), gathered("gathered"), out("out");
  index(x) = in(x);
  table(x) = x * x;
  gathered(x) = table(clamp(index(x), 5, 6));
  out(x) = select(x < 2 || (x % 2 == 1 && x < 0), gathered(x), 0);
  const runtime::InterpretArguments arguments{
      {{"in", filled(Int(32), {2}, [](std::int64_t i) { return i + 5; })}}, {}};
  CHECK(values_of(run(out, {4}, arguments)) == Values{25, 36, 0, 0});
}

TEST_CASE("interpret: a Func is computed only where it is read") {
  Var x("x");
  RDom r({{0, 1000}}, "r");
  Func heavy("heavy"), out("out");
  heavy(x) = 0;
  heavy(x) += r + x;
  // Without using the condition, this would compute over a billion points.
  out(x) =
      select(x < 2, heavy(x), heavy(clamp(x * 100000, 0, 3))) + select(x >= 1000000, heavy(x * 1000 - 7), 0);
  CHECK(values_of(run(out, {3})) == Values{499500, 500500, 502500});
}

TEST_CASE("interpret: parameters are values and sizes") {
  Var x("x");
  Param n("n"), scale("scale", Float(32));
  Input in("in", Float(32), {n * 2});
  RDom r({{0, n}}, "r");
  Func f("f");
  f(x) = 0.0f;
  f(x) += in(r + x) * scale;
  const Buffer a = filled(Float(32), {6}, [](std::int64_t i) { return static_cast<double>(i); });
  CHECK(values_of(run(f, {2}, {{{"in", a}}, {{"n", 3}, {"scale", 2}}})) == Values{6, 12});
  CHECK(values_of(run(f, {2}, {{{"in", Buffer(Float(32), {0})}}, {{"n", 0}, {"scale", 2}}})) == Values{0, 0});
  CHECK_THROWS_WITH_AS(run(f, {2}, {{{"in", a}}, {{"n", 3}}}),
                       "interpret: no value for the Param \"scale\"; pass one with this name", Error);
  CHECK_THROWS_WITH_AS(run(f, {2}, {{{"in", a}}, {{"scale", 3}}}),
                       "interpret: cannot evaluate a size in f: \"n\": n has no value", Error);
}

TEST_CASE("interpret: errors name the input, the read and the remedy") {
  Var x("x");
  Input in("in", Float(32), {4});
  Func g("g"), out("out");
  g(x) = in(x + 2);
  out(x) = g(x) + 1.0f;
  const Buffer a(Float(32), {4});
  CHECK_THROWS_WITH_AS(
      run(out, {3}, {{{"in", a}}, {}}),
      "interpret: out(2) needs in(4), which is outside its shape [4]; guard the read with select or "
      "clamp the index",
      DefinitionError);
  CHECK_THROWS_WITH_AS(run(out, {2}), "interpret: no data for the Input \"in\"; pass a Buffer with this name",
                       Error);
  CHECK_THROWS_WITH_AS(run(out, {2}, {{{"in", Buffer(Float(16), {4})}}, {}}),
                       "interpret: the Input \"in\" is f32 [4], but the Buffer is f16 [4]", ShapeError);
  CHECK_THROWS_WITH_AS(run(out, {2}, {{{"in", Buffer(Float(32), {5})}}, {}}),
                       "interpret: the Input \"in\" is f32 [4], but the Buffer is f32 [5]", ShapeError);
  CHECK_THROWS_WITH_AS(run(out, {2, 2}, {{{"in", a}}, {}}),
                       "interpret: out has 1 dimension, but the shape [2, 2] has 2", DefinitionError);
}

TEST_CASE("interpret: what conditions say of an index bounds it, also if it is read") {
  Var x("x"), y("y");
  Input in("in", Int(32), {4});
  const runtime::InterpretArguments arguments{
      {{"in", filled(Int(32), {4}, [](std::int64_t i) { return i * 50 - 50; })}}, {}};
  Func g("g"), guarded("guarded"), lazy("lazy"), together("together");
  g(x) = x * x;
  guarded(x) = select(0 <= in(x) && in(x) < 60, g(in(x)), -1);
  CHECK(values_of(run(guarded, {4}, arguments)) == Values{-1, 0, 2500, -1});
  lazy(x) = select(in(x) < 0 || 60 <= in(x) || g(in(x)) == 0, 1, 0);
  CHECK(values_of(run(lazy, {4}, arguments)) == Values{1, 1, 0, 1});
  // Boxes are not larger than needed: in is not read outside.
  Func h("h");
  h(x) = in(x);
  together(x, y) = select(0 <= x + y - 1 && x + y - 1 < 2 && y < 2, h(x + y * 2 - 1), -1);
  CHECK(values_of(run(together, {2, 2}, arguments)) == Values{-1, 0, -50, 50});
}

TEST_CASE("interpret: an index without bounds is refused, a clamped one is not") {
  Var x("x");
  Input in("in", Int(32), {2});
  Func g("g"), bad("bad"), good("good");
  g(x) = x * x;
  bad(x) = g(in(x));
  good(x) = g(clamp(in(x), 0, 9));
  const runtime::InterpretArguments arguments{
      {{"in", filled(Int(32), {2}, [](std::int64_t i) { return i * 100; })}}, {}};
  CHECK_THROWS_WITH_AS(run(bad, {2}, arguments), "index 0 of g(...) in bad is unbounded; clamp it: in(x)",
                       DefinitionError);
  CHECK(values_of(run(good, {2}, arguments)) == Values{0, 81});
  Func chain("chain");
  chain(x) = x;
  chain(x) = chain(x + 1);
  CHECK_THROWS_WITH_AS(
      run(chain, {2}),
      "interpret: the updates of chain need an unbounded range of chain; read chain at its pure variables",
      DefinitionError);
}

TEST_CASE(
    "interpret: an update adds to the element that it writes wherever that is, and drops what nobody reads") {
  Var x("x");
  Input at("at", Int(32), {4});
  RDom r({{0, 4}}, "r");
  Func histogram("histogram");
  histogram(x) = 0;
  histogram(at(r)) += 1;
  const Buffer places =
      filled(Int(32), {4}, [](std::int64_t i) { return i < 2 ? 1 : i * 1000000 - 2500000; });
  CHECK(values_of(run(histogram, {3}, {{{"at", places}}, {}})) == Values{0, 2, 0});
}

TEST_CASE("interpret: a heavily shared expression takes no exponential time") {
  const Expr x = ir::make_var("x");
  Expr e = x + 1;
  for (int i = 0; i < 200; ++i) e = e + e;
  ir::Function f;
  f.name = "f";
  f.types = {Int(32)};
  f.dims = {"x"};
  f.definitions.push_back({{x}, {e + 1}, {}});
  CHECK(runtime::interpret(std::make_shared<const ir::Function>(f), {1}, {}).get(0) ==
        1);  // 2^200 wraps to 0
}

TEST_CASE("interpreter: progress tells of all values that are computed") {
  Var x("x");
  RDom r({{0, 2000}}, "r");
  Func sum("sum");
  sum(x) += cast(Float(32), r);
  runtime::InterpretArguments arguments;
  std::vector<std::int64_t> done;
  std::int64_t all = 0;
  arguments.progress = [&](std::int64_t now, std::int64_t total) {
    done.push_back(now);
    all = total;
  };
  run(sum, {1000}, arguments);
  CHECK(all == 1000 + 1000 * 2000);
  CHECK(done.size() == 7);
  CHECK(std::ranges::is_sorted(done));
  CHECK(done.back() <= all);
}
