// Arithmetic on f16, where a schedule asks for it.
#include <doctest/doctest.h>

#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "lower/lower.h"
#include "lower/passes/arithmetic/narrow_arithmetic.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "support/buffers.h"
#include "support/some_device.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y");

std::string narrowed(const std::string& stmt) {
  std::string text = ir::print(lower::narrow_arithmetic(ir::parse_stmt(stmt), true));
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

Buffer halves(const std::vector<std::int64_t>& shape) {
  Buffer data(Float(16), shape);
  for (std::int64_t i = 0; i < data.elements(); ++i)
    data.set(i, static_cast<double>(i * 7 % 23 - 11) * 0.125);
  return data;
}

std::string text_of(const Func& f) { return Pipeline(f).compile().kernels.at(0).text; }

}  // namespace

TEST_CASE("narrow_arithmetic: operations on halves and constants become operations on halves") {
  CHECK(narrowed("store out[i] = f16(f32(a[i]:f16)*f32(b[i]:f16) + 1.0)") ==
        "store out[i] = a[i]:f16*b[i]:f16 + 1.0:f16");
  CHECK(narrowed("store out[i] = f16(max(exp(f32(a[i]:f16)), 0.5))") ==
        "store out[i] = max(exp(a[i]:f16), 0.5:f16)");
  CHECK(narrowed("store out[i] = f16(select(i < 3, f32(a[i]:f16)*2.0, 0.0))") ==
        "store out[i] = select(i < 3, a[i]:f16*2.0:f16, 0.0:f16)");
}

TEST_CASE("narrow_arithmetic: what a cast to integers cuts off or wraps is no f16 any more") {
  for (const std::string same : {"store out[i] = f16(i64(a[i]:f16))", "store out[i] = f16(u8(b[i]:i8))"}) {
    CHECK(narrowed(same) == same);
    CHECK(ir::print(lower::narrow_arithmetic(ir::parse_stmt(same), false)) == same + "\n");
  }
}

TEST_CASE("narrow_arithmetic: a sum in f32, comparisons and constants that no half holds stay as they are") {
  CHECK(narrowed("store acc[0] = acc[0]:f32 + f32(a[i]:f16)*f32(b[i]:f16)") ==
        "store acc[0] = acc[0]:f32 + f32(a[i]:f16*b[i]:f16)");
  for (const std::string same :
       {"store out[i] = f32(a[i]:f16) < f32(b[i]:f16)", "store out[i] = f32(a[i]:f16)*70000.0",
        "store out[i] = f32(a[i]:f16)*b[i]:f32", "store out[i] = 1.0 + 2.0"}) {
    CHECK(narrowed(same) == same);
  }
}

TEST_CASE("half_arithmetic: kernels compute in half, and convert only to what is f32") {
  const Input a("a", Float(16), {4, 32}), b("b", Float(16), {32});
  const RDom r({{0, 32}}, "r");
  Func scaled("scaled"), dot("dot");
  scaled(y, x) = cast(Float(16), a(y, x) * b(x) + 0.5f);
  scaled.bound({4, 32}).vectorize(x, 4).half_arithmetic();
  const std::string vectors = text_of(scaled);
  CHECK(vectors.starts_with("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"));
  CHECK(vectors.find("half4") != std::string::npos);
  CHECK(vectors.find("float") == std::string::npos);
  CHECK(vectors.find("vload_half") == std::string::npos);

  Func out("out");
  dot(y) += cast(Float(32), a(y, r)) * cast(Float(32), b(r));
  out(y) = dot(y);
  dot.compute_at(out, y);
  out.bound({4}).half_arithmetic();
  CHECK(text_of(out).find("dot_0 = dot_0 + (float)(a[") != std::string::npos);
}

TEST_CASE("half_arithmetic: what a sub-group adds up or hands over stays f32") {
  const Input a("a", Float(16), {4, 32});
  const RDom r({{0, 32}}, "r");
  Func sum("sum");
  sum(y) += cast(Float(32), a(y, r));
  sum.bound({4}).half_arithmetic();
  sum.update().gpu_lanes(r[0]);
  CHECK(Pipeline(sum).compile().kernels[1].text.find("sub_group_reduce_add((float)a[") != std::string::npos);

  const Var xo("xo"), xi("xi");
  Func tile("tile"), out("out");
  tile(y, x) = a(y, x);
  out(y, x) = tile(y, 31 - x) * 2.0f;
  out.bound({4, 32}).split(x, xo, xi, 32, Tail::Exact).gpu_blocks(xo, y).gpu_threads(xi).half_arithmetic();
  tile.compute_at(out, xo).store_in(SubGroup).gpu_threads(x);
  CHECK(text_of(out).find("sub_group_shuffle((float)tile") != std::string::npos);
}

TEST_CASE("half_arithmetic: results are those of f32, as far as 11 bits go") {
  for (const int width : {1, 3, 5, 17}) {
    const Input a("a", Float(16), {5, width + 2});
    Func blur("blur"), out("out");
    blur(y, x) = cast(Float(16), (a(y, x) + a(y, x + 1) + a(y, x + 2)) / 3.0f);
    out(y, x) = cast(Float(16), select(blur(y, x) < 0.0f, blur(y, x) * 0.1f, sqrt(max(blur(y, x), 0.0f))));
    out.bound({5, width}).vectorize(x, 4).gpu_blocks(y).half_arithmetic();
    blur.compute_at(out, y).vectorize(x, 2);
    const Buffer data = halves({5, width + 2});
    const Buffer expected = runtime::interpret(out.shared(), {5, width}, {{{"a", data}}, {}});
    lower::LowerOptions options;
    options.verify = true;
    const Buffer found = simulate(lower::lower(out.shared(), options), {{"a", data}}, {});
    const double difference = testing::largest_difference(found, expected);
    CHECK(difference < 2e-3);
    if (width == 17) CHECK(difference > 0);  // it does round
  }
}

TEST_CASE("half_arithmetic: where it cannot be is refused") {
  const Input a("a", Float(16), {8});
  Func f("f"), g("g");
  f(x) = a(x) * 2.0f;
  g(x) = f(x) + 1.0f;
  g.bound({8});
  f.half_arithmetic();
  CHECK_THROWS_WITH_AS(Pipeline(g).compile(),
                       "f.half_arithmetic(): the Func is inlined; use compute_at or compute_root",
                       ScheduleError);
  f.compute_at(g, x);
  CHECK_THROWS_WITH_AS(Pipeline(g).compile(),
                       "f.half_arithmetic(): the Func is computed inside another Func's kernel; call it on "
                       "the Func of that kernel that is computed at the root",
                       ScheduleError);
  f.compute_root();
  CHECK_NOTHROW(Pipeline(g).compile());
  CHECK_THROWS_WITH_AS(Pipeline(g).compile(some_device()),
                       "f.half_arithmetic(): the device has no arithmetic on f16 (cl_khr_fp16); drop it, and "
                       "f16 is used for storage only",
                       ScheduleError);
}

}  // namespace tensordsl
