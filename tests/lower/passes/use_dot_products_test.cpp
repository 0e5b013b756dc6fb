// Four steps of a sum of products of 8-bit integers as one operation.
#include <doctest/doctest.h>

#include "ir/analyze/verify.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "lower/lower.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

/// y(m, n) = sum of a(m, k)*b(n, k), four steps of k unrolled for each sum.
struct Sums {
  Input a, b;
  Var m{"m"}, n{"n"}, ko{"ko"}, ki{"ki"};
  RDom k;
  Func sum{"sum"}, y{"y"};

  Sums(Type of_a, Type of_b, int depth)
      : a("a", of_a, {3, depth}), b("b", of_b, {5, depth}), k({{0, depth}}, "k") {
    sum(m, n) += cast(Int(32), a(m, k)) * cast(Int(32), b(n, k));
    y(m, n) = sum(m, n) + 1;
    y.bound({3, 5}).gpu_blocks(n, m);
    sum.compute_at(y, n);
    sum.update().split(k[0], ko, ki, 4, Tail::Exact).unroll(ki);
  }

  Buffer values(const Input& input, int depth, int rows) const {
    Buffer buffer(input.type(), {rows, depth});
    for (std::int64_t i = 0; i < buffer.elements(); ++i)
      buffer.set_int(i, input.type() == Int(8) ? i * 91 % 256 - 128 : i * 37 % 256);
    return buffer;
  }
};

std::string ir_of(const Func& f, std::optional<bool> has_dots) {
  lower::LowerOptions options;
  options.verify = true;
  options.has_integer_dot_product = has_dots;
  std::string text;
  options.observer = [&](const lower::StepResult& result) {
    if (result.step.name == "use_dot_products") text = ir::print(result.stmt);
  };
  lower::lower(f.shared(), options);
  return text;
}

}  // namespace

TEST_CASE("use_dot_products: four neighboring steps are one operation, of every pair of types") {
  for (const Type of_a : {Int(8), UInt(8)}) {
    for (const Type of_b : {Int(8), UInt(8)}) {
      const Sums s(of_a, of_b, 12);
      CAPTURE(to_string(of_a) + to_string(of_b));
      const std::string text = ir_of(s.y, true);
      CHECK(text.find("dot_product(a[") != std::string::npos);
      CHECK(text.find("*i32(b") == std::string::npos);
      const std::map<std::string, Buffer> inputs{{"a", s.values(s.a, 12, 3)}, {"b", s.values(s.b, 12, 5)}};
      const Pipeline pipeline(s.y);
      const Buffer found = pipeline.simulate(inputs).at(0);
      for (std::int64_t i = 0; i < 15; ++i) {
        std::int64_t sum = 1;
        for (std::int64_t k = 0; k < 12; ++k)
          sum += inputs.at("a").get_int(i / 5 * 12 + k) * inputs.at("b").get_int(i % 5 * 12 + k);
        CHECK(found.get_int(i) == sum);
      }
    }
  }
}

TEST_CASE("use_dot_products: what it prints is read back, and checked") {
  const char* kDot = "store s[0] = dot_product(a[ramp(i, 1, 4)]:i8x4, b[ramp(j, 1, 4)]:u8x4, s[0])";
  const ir::Stmt dot = ir::parse_stmt(kDot);
  CHECK(ir::print(dot) == std::string(kDot) + "\n");
  ir::verify(dot, {"a", "b", "s"}, {"i", "j"}, {});
  for (const char* wrong :
       {"store s[0] = dot_product(a[ramp(i, 1, 2)]:i8x2, b[ramp(j, 1, 2)]:u8x2, s[0])",
        "store s[0] = dot_product(a[ramp(i, 1, 4)]:i16x4, b[ramp(j, 1, 4)]:u8x4, s[0])",
        "store s[0] = dot_product(a[ramp(i, 1, 4)]:i8x4, b[ramp(j, 1, 4)]:u8x4, s[0]:i64)"}) {
    CHECK_THROWS_AS(ir::verify(ir::parse_stmt(wrong), {"a", "b", "s"}, {"i", "j"}, {}), InternalError);
  }
}

TEST_CASE("use_dot_products: without the instruction, and of other sums, products stay as they are") {
  const Sums bytes(Int(8), Int(8), 12);
  CHECK(ir_of(bytes.y, false).find("dot_product") == std::string::npos);
  const Sums wide(Int(16), Int(8), 12);
  CHECK(ir_of(wide.y, true).find("dot_product") == std::string::npos);
  // Every second element: no neighbors.
  const Input a("a", Int(8), {24}), b("b", Int(8), {12});
  const RDom k({{0, 12}}, "k");
  const Var x("x"), ko("ko"), ki("ki");
  Func sum("sum"), y("y");
  sum(x) += cast(Int(32), a(k * 2)) * cast(Int(32), b(k));
  y(x) = sum(x);
  y.bound({1});
  sum.compute_at(y, x);
  sum.update().split(k[0], ko, ki, 4, Tail::Exact).unroll(ki);
  CHECK(ir_of(y, true).find("dot_product") == std::string::npos);
}

TEST_CASE("use_dot_products: steps whose indices read the sum are done one after the other") {
  const Input a("a", Int(8), {64}), b("b", UInt(8), {64});
  const RDom k({{0, 16}}, "k");
  const Var x("x"), ko("ko"), ki("ki");
  Buffer A(Int(8), {64}), B(UInt(8), {64});
  for (std::int64_t i = 0; i < 64; ++i) A.set_int(i, i * 91 % 256 - 128), B.set_int(i, i * 37 % 256);
  Func gathered("gathered"), scattered("scattered");
  gathered(x) = x;
  gathered(x) = gathered(x) + cast(Int(32), a(clamp(gathered(x), 0, 40) + k)) * cast(Int(32), b(k));
  scattered(x) = x;
  scattered(clamp(scattered(0), 0, 7)) += cast(Int(32), a(k)) * cast(Int(32), b(k));
  for (Func* f : {&gathered, &scattered}) {
    f->bound({8});
    f->update().split(k[0], ko, ki, 4, Tail::Exact).unroll(ki);
    CHECK(ir_of(*f, true).find("dot_product") == std::string::npos);
    const Pipeline pipeline(*f);
    const std::map<std::string, Buffer> inputs{{"a", A}, {"b", B}};
    const Buffer found = pipeline.simulate(inputs).at(0), expected = pipeline.interpret(inputs).at(0);
    for (std::int64_t i = 0; i < 8; ++i) CHECK(found.get_int(i) == expected.get_int(i));
  }
}

TEST_CASE("use_dot_products: kernels have the function of each compiler, and four products elsewhere") {
  const Sums s(UInt(8), Int(8), 8);
  const std::string text = Pipeline(s.y).emit("cl");
  CHECK(text.find("int dot_product_ui(uchar4 a, char4 b, int c) {") != std::string::npos);
  CHECK(text.find("return c + (int)dot(a, b);") != std::string::npos);
  CHECK(text.find("dot_4x8packed_us_int(as_uint(a), as_uint(b))") != std::string::npos);
  CHECK(text.find("arm_dot(lower, b) - arm_dot((char4)(-128), b)") != std::string::npos);
  CHECK(text.find("dp4a") == std::string::npos);
  CHECK(text.find("return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;") != std::string::npos);
  const Sums same(Int(8), Int(8), 8);
  CHECK(Pipeline(same.y).emit("cl").find("arm_dot_acc(a, b, (int)c)") != std::string::npos);
  DeviceInfo nvidia;
  nvidia.has_integer_dot_product = true;
  nvidia.extensions = {"cl_nv_device_attribute_query"};
  const std::string ptx = Pipeline(s.y).compile(nvidia).kernels.at(0).text;
  CHECK(ptx.find("dp4a.u32.s32 %0, %1, %2, %3;") != std::string::npos);
  CHECK(ptx.find("arm_dot") == std::string::npos);
  // A Func may have the name.
  const Input in("dot_product_ui", Float(32), {4});
  const Var x("x");
  Func f("f");
  f(x) = in(x) + 1.0f;
  f.bound({4});
  CHECK(Pipeline(f).emit("cl").find("restrict dot_product_ui,") == std::string::npos);
}

}  // namespace tensordsl
