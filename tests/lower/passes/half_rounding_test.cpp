// A Func of type f16 is rounded where it is defined, wherever its schedule computes and holds it.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <random>

#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "lower/lower.h"
#include "lower/passes/arithmetic/narrow_arithmetic.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/half.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi"), t("t");

float rounded(float value) { return half_to_float(float_to_half(value)); }

/// f32 of all magnitudes that matter to f16: values that it rounds, below and above its range, zeros,
/// infinities.
Buffer singles(std::int64_t count) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  Buffer data(Float(32), {count});
  std::mt19937 random(1);
  std::uniform_real_distribution<float> mantissa(-2, 2);
  std::uniform_int_distribution<int> exponent(-27, 17);
  for (float& value : data.as<float>()) value = std::ldexp(mantissa(random), exponent(random));
  const std::vector<float> special{1.0001f,  0.0f,     -0.0f,    kInf,      -kInf,
                                   65519.9f, 65520.0f, 0x1p-25f, 0x1.8p-24f};
  std::copy(special.begin(), special.end(), data.as<float>().begin());
  return data;
}

bool has_same_bits(const Buffer& a, const Buffer& b) {
  return a.size_bytes() == b.size_bytes() &&
         std::memcmp(a.bytes().data(), b.bytes().data(), a.size_bytes()) == 0;
}

Buffer simulated(const Func& output, const std::map<std::string, Buffer>& inputs) {
  lower::LowerOptions options;
  options.verify = true;
  return simulate(lower::lower(output.shared(), options), inputs, {});
}

/// f(x) = a(x) in f16; g reads it as f32, where what rounding leaves out shows.
struct Difference {
  Input a{"a", Float(32), {64}};
  Func f{"f"}, g{"g"};

  Difference() {
    f(x) = cast(Float(16), a(x));
    g(x) = cast(Float(32), f(x)) - 1.0f;
    g.bound({64});
  }

  void check(const char* schedule) const {
    INFO(schedule);
    const Buffer data = singles(64);
    const Buffer found = simulated(g, {{"a", data}});
    CHECK(has_same_bits(found, runtime::interpret(g.shared(), {64}, {{{"a", data}}, {}})));
    for (std::int64_t i = 0; i < 64; ++i)
      CHECK(found.as<float>()[static_cast<std::size_t>(i)] ==
            rounded(static_cast<float>(data.get(i))) - 1.0f);
  }
};

std::string text_of(const Func& f) {
  std::string text;
  for (const KernelSource& kernel : Pipeline(f).compile().kernels) text += kernel.text;
  return text;
}

/// The text after the functions that it calls.
std::string body_of(const Func& f) {
  const std::string text = text_of(f);
  return text.substr(text.find("__kernel"));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string narrowed(const std::string& stmt) {
  std::string text = ir::print(lower::narrow_arithmetic(ir::parse_stmt(stmt), false));
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

TEST_CASE("f16: a Func is rounded where it is defined, wherever it is computed") {
  {
    const Difference inlined;
    inlined.check("inline");
  }
  {
    Difference root;
    root.f.compute_root();
    root.check("compute_root");
  }
  {
    Difference registers;
    registers.g.split(x, xo, xi, 4).unroll(xi).gpu_blocks(xo);
    registers.f.compute_at(registers.g, xo).unroll(x);
    registers.check("registers");
  }
  {
    Difference vectors;
    vectors.g.split(x, xo, xi, 16).vectorize(xi, 8).gpu_blocks(xo);
    vectors.f.compute_at(vectors.g, xo).vectorize(x, 8);
    vectors.check("vectors");
  }
  {
    Difference array;
    array.g.split(x, xo, xi, 8).gpu_blocks(xo);
    array.f.compute_at(array.g, xo).store_in(Private);
    array.check("a private array");
  }
  {
    Difference tile;
    tile.g.split(x, xo, xi, 16).gpu_blocks(xo).gpu_threads(xi);
    tile.f.compute_at(tile.g, xo).store_in(Local).gpu_threads(x);
    tile.check("local memory");
  }
  {
    Difference lanes;
    lanes.g.split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
    lanes.f.compute_at(lanes.g, xo).store_in(SubGroup).gpu_threads(x);
    lanes.check("a sub-group");
  }
}

TEST_CASE("f16: every step of an update rounds, wherever the sum is held") {
  const RDom r({{0, 24}}, "r");
  for (const bool at_root : {false, true}) {
    const Input a("a", Float(16), {8, 24});
    Func sum("sum"), out("out");
    sum(y) += a(y, r);
    out(y) = cast(Float(32), sum(y));
    out.bound({8}).gpu_blocks(y);
    if (at_root) {
      sum.compute_root();
    } else {
      sum.compute_at(out, y);
    }
    Buffer data(Float(16), {8, 24});
    for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 37 % 101) * 0.013);
    const Buffer found = simulated(out, {{"a", data}});
    CHECK(has_same_bits(found, runtime::interpret(out.shared(), {8}, {{{"a", data}}, {}})));
    float first = 0;
    for (std::int64_t k = 0; k < 24; ++k) first = rounded(first + static_cast<float>(data.get(k)));
    CHECK(found.as<float>()[0] == first);
  }
}

TEST_CASE("f16: arithmetic is in f32, and a cast to f16 rounds where it stands") {
  const Input a("a", Float(16), {3}), b("b", Float(16), {3});
  Func once("once"), twice("twice");
  once(x) = cast(Float(16), a(x) * b(x) + a(x));
  twice(x) = cast(Float(16), cast(Float(16), a(x) * b(x)) + a(x));
  Buffer left(Float(16), {3}), right(Float(16), {3});
  for (std::int64_t i = 0; i < 3; ++i) {
    left.set(i, 1.0 + 0x1p-10 * static_cast<double>(2 * i + 1));
    right.set(i, 1.0 + 0x1p-10 * static_cast<double>(4 * i + 3));
  }
  const std::map<std::string, Buffer> inputs{{"a", left}, {"b", right}};
  bool differs = false;
  for (Func f : {once, twice}) {
    f.bound({3});
    const Buffer expected = runtime::interpret(f.shared(), {3}, {inputs, {}});
    CHECK(has_same_bits(simulated(f, inputs), expected));
    for (std::int64_t i = 0; i < 3; ++i) {
      const auto l = static_cast<float>(left.get(i)), product = l * static_cast<float>(right.get(i));
      const float value = f.name() == "once" ? product + l : rounded(product) + l;
      CHECK(expected.get(i) == static_cast<double>(rounded(value)));
      differs = differs || rounded(product + l) != rounded(rounded(product) + l);
    }
  }
  CHECK(differs);
}

TEST_CASE("f16: a schedule changes no bit of a chain of Funcs") {
  const Input a("a", Float(32), {96});
  const auto chain = [&](int root) {
    std::vector<Func> stages;
    for (int k = 0; k < 4; ++k) {
      Func stage("f" + std::to_string(k));
      const Expr before = k == 0 ? a(x) : cast(Float(32), stages.back()(x)) * 1.7f;
      stage(x) = cast(Float(16), select(before < 0.0f, before * 0.3f, before + 0.01f));
      if (root & (1 << k)) stage.compute_root().vectorize(x, 1 << k);
      stages.push_back(stage);
    }
    stages.back().bound({96});
    return stages.back();
  };
  const Buffer data = singles(96);
  const Func inlined = chain(0);
  const Buffer expected = runtime::interpret(inlined.shared(), {96}, {{{"a", data}}, {}});
  for (int root = 0; root < 8; ++root) {
    CAPTURE(root);
    CHECK(has_same_bits(simulated(chain(root), {{"a", data}}), expected));
  }
}

TEST_CASE("f16: a tile in local memory takes two bytes an element, an array of one work-item four") {
  Difference tile;
  tile.g.split(x, xo, xi, 16).gpu_blocks(xo).gpu_threads(xi);
  tile.f.compute_at(tile.g, xo).store_in(Local).gpu_threads(x);
  CHECK(Pipeline(tile.g).compile().kernels[0].resources.local_bytes == 32);
  CHECK(contains(body_of(tile.g), "  __local ushort f[16];\n"));

  Difference array;
  array.g.split(x, xo, xi, 8).gpu_blocks(xo);
  array.f.compute_at(array.g, xo).store_in(Private);
  CHECK(Pipeline(array.g).compile().kernels[0].resources.private_bytes == 32);
  CHECK(contains(body_of(array.g), "  float f[8];\n"));
}

TEST_CASE("f16: what is an f16 already is not rounded again") {
  CHECK(narrowed("store out[i] = f16(max(f32(a[i]:f16), 0.5))") == "store out[i] = max(a[i]:f16, 0.5:f16)");
  CHECK(narrowed("store out[i] = f16(select(i < 3, f32(a[i]:f16), f32(b[i]:f16)))") ==
        "store out[i] = select(i < 3, a[i]:f16, b[i]:f16)");
  CHECK(narrowed("store out[i] = f16(min(abs(floor(-0.0 - f32(a[i]:f16))), 6.0))") ==
        "store out[i] = min(abs(floor(-0.0:f16 - a[i]:f16)), 6.0:f16)");
  for (const std::string same :
       {"store out[i] = f16(max(f32(a[i]:f16), 0.1))", "store out[i] = f16(f32(a[i]:f16)*2.0)",
        "store out[i] = f16(1.0 - f32(a[i]:f16))", "store out[i] = f16(max(f32(a[i]:f16), b[i]:f32))",
        "store out[i] = f16(sqrt(f32(a[i]:f16)))", "store out[i] = f16(max(f32(a[i]:f16), 70000.0))"}) {
    CHECK(narrowed(same) == same);
  }
}

TEST_CASE("f16: kernels round where a value has more digits, and there only") {
  const Input a("a", Float(16), {64}), b("b", Float(32), {64}), c("c", UInt(8), {64});
  Func half("half"), out("out");
  const auto text_for = [&](const Expr& value, const Type& type) {
    Func f("f"), g("g");
    f(x) = cast(Float(16), value);
    g(x) = cast(type, f(x));
    g.bound({64}).vectorize(x, 4).gpu_blocks(x);
    return body_of(g);
  };
  // Rounded by the store, once.
  CHECK(!contains(text_for(a(x) * 2.0f, Float(16)), "round_half"));
  CHECK(contains(text_for(a(x) * 2.0f, Float(16)), "store_half4(half_to_float4("));
  // Rounded by an operation of its own if the value is not stored.
  CHECK(contains(text_for(a(x) * 2.0f, Float(32)), "= round_half4(half_to_float4("));
  // Not rounded at all: the value is already an f16.
  for (const Expr& value :
       {Expr(a(x)), max(a(x), 0.0f), select(x < 7, a(x), -1.5f), -a(x), cast(Float(32), c(x))}) {
    CAPTURE(to_string(value));
    CHECK(!contains(text_for(value, Float(32)), "round_half"));
  }
  CHECK(contains(text_for(b(x), Float(32)), "= round_half4(*("));
}

}  // namespace tensordsl
