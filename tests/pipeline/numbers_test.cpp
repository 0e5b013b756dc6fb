// Every element type and every operator and function of numbers on a device, in scalars and in vectors,
// against the interpreter.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "ir/nodes/expr_node.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "support/error_text.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var i("i");
constexpr int kElements = 64;

const Type kIntegers[] = {Int(8), Int(16), Int(32), Int(64), UInt(8), UInt(16), UInt(32), UInt(64)};

/// The ends of the type, small numbers, and random bits.
Buffer integers(Type type, unsigned seed) {
  Buffer data(type, {kElements});
  std::mt19937_64 random(seed);
  const std::int64_t kNumbers[] = {0,    1,   -1,    2,      3,     7,         127,
                                   -128, 255, 32767, -32768, 65535, INT32_MAX, INT64_MAX};
  for (int k = 0; k < kElements; ++k) {
    const bool is_listed = k < 28 && k % 2 == static_cast<int>(seed % 2);
    data.set_int(k, is_listed ? kNumbers[k / 2] : static_cast<std::int64_t>(random() >> (random() % 64)));
  }
  return data;
}

struct Operation {
  const char* name;
  std::function<Expr(Expr, Expr)> apply;
};

const Operation kOperations[] = {
    {"sum", [](Expr a, Expr b) { return a + b; }},
    {"difference", [](Expr a, Expr b) { return a - b; }},
    {"product", [](Expr a, Expr b) { return a * b; }},
    {"quotient", [](Expr a, Expr b) { return a / b; }},
    {"remainder", [](Expr a, Expr b) { return a % b; }},
    {"by_constants", [](Expr a, Expr) { return a / 7 + a % 8; }},
    {"extrema", [](Expr a, Expr b) { return min(a, b) - max(a, 5); }},
    {"magnitudes", [](Expr a, Expr b) { return max(max(0 - max(a, b), a), b) + max(a + b, 0); }},
    {"order", [](Expr a, Expr b) { return select(a < b, a, select(a == 3 || b <= 7, b, 1)); }},
    {"bits", [](Expr a, Expr b) { return (a & b) ^ (a | ~b); }},
    {"shifts", [](Expr a, Expr b) { return (a << (b & 7)) + (a >> (b & 3)) + (a >> 2) + (a << b); }},
    {"counts", [](Expr a, Expr b) { return popcount(a) * 64 + count_leading_zeros(b); }},
    {"distance", [](Expr a, Expr b) { return cast(a.type(), abs_diff(a, b)); }},
    {"magnitude", [](Expr a, Expr b) { return abs(a) + abs(b); }},
};

/// Keeps operands small where arithmetic must not overflow.
Expr operand(const Func& in, Type type) {
  const bool wraps = type.is_uint() || type.bits < 32;
  return wraps ? Expr(in(i)) : clamp(in(i), -2000, 2000);
}

/// Stacks the values, f(t, i) being the t-th of them, in one kernel: drivers take time for each kernel.
Func stacked(const std::string& name, const std::vector<Expr>& values, int lanes) {
  const Var t("t");
  Expr all = values.back();
  for (std::size_t k = values.size() - 1; k-- > 0;) all = select(t == static_cast<int>(k), values[k], all);
  Func f(name);
  f(t, i) = all;
  f.bound({static_cast<int>(values.size()), kElements}).unroll(t);
  if (lanes > 1) f.vectorize(i, lanes);
  return f;
}

/// `ulps` of f32, or of f64, relative to values larger than 1.
void check_near(const Func& f, const std::map<std::string, Buffer>& inputs, Device& device, int ulps,
                const ParamValues& params = {}) {
  std::vector<std::int64_t> shape;
  for (const Expr& extent : f.contents().schedule.bounds) shape.push_back(*ir::as_int(extent));
  const Buffer expected = runtime::interpret(f.shared(), shape, {inputs, params});
  const Buffer found = Pipeline(f).realize(inputs, device, params);
  int wrong = 0;
  for (std::int64_t k = 0; k < expected.elements(); ++k) {
    const double x = found.get(k), y = expected.get(k);
    const double allowed = ulps * (f.type().bits == 64 ? 0x1p-52 : 0x1p-23) * std::max(1.0, std::abs(y));
    const bool is_equal = f.type().is_float()
                              ? x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= allowed
                              : found.get_int(k) == expected.get_int(k);
    if (is_equal || ++wrong > 1) continue;
    FAIL_CHECK(f.name(), "(", k / kElements, ", ", k % kElements, "): ", x, ", expected ", y, "\n",
               Pipeline(f).emit("cl"));
  }
}

bool has(const DeviceInfo& device, Type type) { return type != Float(64) || device.has_fp64; }

}  // namespace

TEST_CASE("numbers: every operator on every integer type, in scalars and in vectors") {
  const auto device = Device::open();
  for (const Type type : kIntegers) {
    const Input a("a", type, {kElements}), b("b", type, {kElements});
    std::vector<Expr> values;
    for (const Operation& operation : kOperations)
      values.push_back(operation.apply(operand(a, type), operand(b, type)));
    for (const int lanes : {1, 4}) {
      check_near(stacked("of_" + to_string(type), values, lanes),
                 {{"a", integers(type, 2)}, {"b", integers(type, 3)}}, *device, 0);
    }
  }
}

TEST_CASE("numbers: every type converts to every other, and saturates where asked") {
  const auto device = Device::open();
  std::vector<Type> types(std::begin(kIntegers), std::end(kIntegers));
  for (const Type type : {Bool(), Float(16), Float(32), Float(64)}) {
    if (has(device->info(), type)) types.push_back(type);
  }
  for (const Type from : types) {
    Buffer data = from.is_float() ? Buffer(from, {kElements}) : integers(from.is_bool() ? Int(8) : from, 2);
    if (from.is_bool()) data = data.converted(Bool());
    const double kNumbers[] = {0, 0.5, -1.5, 3.75, 1000, -40000, 70000, -3e9, 5e9, 1e19, INFINITY, -INFINITY};
    for (int k = 0; from.is_float() && k < kElements; ++k) data.set(k, kNumbers[k % 12]);
    const Input a("a", from, {kElements});
    // Held by a type that has all of the values.
    std::map<std::string, std::vector<Expr>> by_holder;
    for (const Type to : types) {
      const Type holder = to == Float(64) ? to : to.is_float() ? Float(32) : Int(64);
      std::vector<Expr>& values = by_holder[to_string(holder)];
      values.push_back(cast(holder, cast(to, a(i))));
      values.push_back(cast(holder, saturating_cast(to, a(i))));
    }
    for (const auto& [holder, values] : by_holder) {
      for (const int lanes : {1, 4}) {
        check_near(stacked("from_" + to_string(from) + "_in_" + holder, values, lanes), {{"a", data}},
                   *device, 0);
      }
    }
  }
}

TEST_CASE("numbers: bits are those of the interpreter, in scalars and vectors") {
  const auto device = Device::open();
  for (const Type whole : {UInt(16), Int(16), UInt(32), Int(32), UInt(64), Int(64)}) {
    const Type real = Float(whole.bits);
    if (whole.bits == 64 && !device->info().has_fp64) continue;
    // Every exponent but that of infinities and NaNs, whose bits a device may change.
    Input a("a", whole, {kElements});
    Buffer data(whole, {kElements});
    std::mt19937_64 random(7);
    const int mantissa = whole.bits == 16 ? 10 : whole.bits == 32 ? 23 : 52;
    for (int k = 0; k < kElements; ++k) {
      const std::uint64_t bits = random(), exponents = (std::uint64_t{1} << (whole.bits - 1 - mantissa)) - 1;
      const std::uint64_t exponent = 1 + bits % (exponents - 1);
      const std::uint64_t low = (bits >> 12) & ((std::uint64_t{1} << mantissa) - 1);
      data.set_int(k, static_cast<std::int64_t>(exponent << mantissa | low | (bits & 1) << (whole.bits - 1)));
    }
    const Expr number = reinterpret(real, a(i));
    const std::vector<Expr> values{reinterpret(whole, number),
                                   reinterpret(whole, cast(real, select(number < 0, number, -number))),
                                   reinterpret(whole, cast(real, cast(real, 1.5f))) + a(i)};
    for (const int lanes : {1, 4}) {
      check_near(stacked("bits_of_" + to_string(whole), values, lanes), {{"a", data}}, *device, 0);
      check_near(stacked("numbers_of_" + to_string(whole), {number, cast(real, number)}, lanes),
                 {{"a", data}}, *device, 0);
    }
  }
}

TEST_CASE("numbers: functions of f32 and f64 are as near as OpenCL asks") {
  const auto device = Device::open();
  for (const Type type : {Float(32), Float(64)}) {
    if (!has(device->info(), type)) continue;
    Buffer first(type, {kElements}), second(type, {kElements});
    std::mt19937 random(1);
    for (int k = 0; k < kElements; ++k) {
      first.set(k, (static_cast<int>(random() % 4000) - 2000) / 257.0);
      second.set(k, (static_cast<int>(random() % 4000) - 2000) / 263.0);
    }
    const Input in_a("a", type, {kElements}), in_b("b", type, {kElements});
    const Expr a = in_a(i), b = in_b(i);
    const std::vector<Expr> values{exp2(a),      log2(abs(a)),
                                   tan(a),       asin(a / 9),
                                   acos(a / 9),  atan(a),
                                   atan2(a, b),  sinh(a),
                                   cosh(a),      trunc(a),
                                   fma(a, b, 1), pow(abs(a), b / 4),
                                   exp(a),       log(abs(a)),
                                   sin(a),       cos(a),
                                   tanh(a),      erf(a),
                                   sqrt(abs(a)), rsqrt(abs(a) + 1),
                                   asinh(a),     acosh(abs(a) + 1),
                                   atanh(a / 9), log1p(abs(a)),
                                   fmod(a, b),   erfc(a)};
    CHECK(values[0].type() == type);
    for (const int lanes : {1, 4}) {
      check_near(stacked("functions_of_" + to_string(type), values, lanes), {{"a", first}, {"b", second}},
                 *device, 20);
    }
  }
}

TEST_CASE("numbers: what is no number is told on a device too") {
  const auto device = Device::open();
  const Input a("a", Float(32), {kElements});
  Buffer data(Float(32), {kElements});
  const double kNumbers[] = {0, 1, NAN, INFINITY, -INFINITY, -2};
  for (int k = 0; k < kElements; ++k) data.set(k, kNumbers[k % 6]);
  for (const int lanes : {1, 4}) {
    Func f("f");
    f(i) = select(is_nan(a(i)), 1, select(is_inf(a(i)), 2, select(is_finite(a(i)), 3, 4)));
    f.bound({kElements});
    if (lanes > 1) f.vectorize(i, lanes);
    check_near(f, {{"a", data}}, *device, 0);
  }
}

TEST_CASE("numbers: Params of every type reach the kernel whole") {
  const auto device = Device::open();
  const Input a("a", UInt(8), {kElements});
  const std::map<std::string, Buffer> inputs{{"a", integers(UInt(8), 2)}};
  const std::pair<Type, ParamValue> values[] = {
      {Int(32), -5},     {UInt(32), 4000000000U}, {Int(64), INT64_MIN + 1}, {UInt(64), UINT64_MAX - 1000},
      {Float(32), 0.1f}, {Float(64), 0.1}};
  for (const auto& [type, value] : values) {
    if (!has(device->info(), type)) continue;
    const Param p("p", type);
    Func f("f_" + to_string(type));
    f(i) = cast(type, a(i)) + p;
    f.bound({kElements});
    check_near(f, inputs, *device, 0, {{"p", value}});
  }
  const Param p("p", UInt(32));
  Func f("f");
  f(i) = a(i) + p;
  f.bound({kElements});
  CHECK(error_of([&] {
          Pipeline(f).realize(inputs, *device, {{"p", -1}});
        }).find("the Param \"p\" has type u32; found the value -1") != std::string::npos);
  CHECK(error_of([&] { require_fits("n", Int(64), UINT64_MAX); }) ==
        "the Param \"n\" has type i64; found the value 18446744073709551615");
  CHECK(error_of([&] { require_fits("n", UInt(64), 0x1p64); }) ==
        "the Param \"n\" has type u64; found the value 1.8446744073709552e+19");
}

TEST_CASE("numbers: f64 is refused by name where a device has none") {
  DeviceInfo device = Device::open()->info();
  device.has_fp64 = false;
  const Input a("a", Float(32), {kElements});
  Func f("f"), g("g");
  f(i) = cast(Float(32), cast(Float(64), a(i)) * 0.1);
  f.bound({kElements});
  CHECK(error_of([&] { Pipeline(f).compile(device); }) ==
        "f: it is computed in f64, which the device does not have (cl_khr_fp64); use f32");
  g(i) = a(i) * 0.1;
  g.bound({kElements});
  CHECK_NOTHROW(Pipeline(g).compile(device));
}

TEST_CASE("numbers: the magnitude of an integer is printed as abs, which every compiler gets right") {
  for (const Type type : {Int(8), Int(16), Int(32), Int(64)}) {
    const Input a("a", type, {kElements}), b("b", type, {kElements});
    Func f("f");
    f(i) = max(abs(a(i)), b(i));
    f.bound({kElements});
    const std::string text = Pipeline(f).compile().kernels[0].text;
    CAPTURE(text);
    CHECK(text.find("(abs(") != std::string::npos);
    CHECK(text.find("0 - ") == std::string::npos);
  }
}

}  // namespace tensordsl
