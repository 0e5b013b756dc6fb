// Names: users' and the compiler's never meet, and a text depends only on its pipeline.
#include <doctest/doctest.h>
#include <tensordsl/tensordsl.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "support/buffers.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), c("c"), xo("xo"), xi("xi");

Buffer counted(const std::vector<std::int64_t>& shape) {
  return testing::filled(Float(32), shape, [](std::int64_t i) { return i % 13 - 6; });
}

std::string text_of(const Func& out) { return Pipeline(out).emit("cl"); }

/// Runs on the device and compares with the interpreter.
void check_result(const Func& out, const std::map<std::string, Buffer>& inputs,
                  const std::vector<std::int64_t>& shape) {
  const auto device = Device::open();
  const Buffer expected = runtime::interpret(out.shared(), shape, {inputs, {}});
  const Buffer found = Pipeline(out).realize(inputs, *device);
  for (std::int64_t i = 0; i < expected.elements(); ++i) CHECK(found.get(i) == expected.get(i));
}

/// A padded convolution, whose accumulators, addresses, loads and scalars all get names.
Func convolution(const std::string& name) {
  Input in("in", Float(32), {8, 8, 8}, {"c", "y", "x"});
  Input weights("weights", Float(32), {8, 8, 3, 3}, {"o", "i", "y", "x"});
  const RDom r({{0, 3}, {0, 3}, {0, 8}}, "r");
  Func padded = BoundaryConditions::zero(in, {Expr(), 8, 8});
  Func conv(name), out("out");
  conv(c, y, x) += padded(r[2], y + r[0] - 1, x + r[1] - 1) * weights(c, r[2], r[0], r[1]);
  out(c, y, x) = max(conv(c, y, x), 0.0f);
  weights.layout("y x i o");
  out.bound({8, 8, 8}).layout("y x c");
  out.split(x, xo, xi, 2).reorder({y, xo, xi, c}).vectorize(c).unroll(xi).gpu_blocks(xo, y);
  conv.compute_at(out, xo).reorder({y, x, c}).vectorize(c).unroll(x);
  conv.update().reorder({y, r[0], r[1], r[2], x, c}).vectorize(c).unroll(x);
  return out;
}

/// A Func of unnamed Vars, an RDom and Funcs.
Func unnamed() {
  const Input in("in", Float(32), {12, 12});
  const Var i, j, jo, ji;
  const RDom r({{0, 3}});
  Func sum, out;
  sum(i, j) += in(i, j + r);
  out(i, j) = sum(i, j) + sum(i, j + 1);
  out.bound({12, 8}).split(j, jo, ji, 4).vectorize(ji).gpu_blocks(jo, i);
  sum.compute_at(out, jo);
  return out;
}

}  // namespace

TEST_CASE("names: a Func may be called as the compiler calls its own variables") {
  const std::map<std::string, Buffer> inputs{{"in", counted({8, 8, 8})}, {"weights", counted({8, 8, 3, 3})}};
  for (const std::string name : {"a", "t", "s", "v", "a_0", "t_0", "out_xo", "conv_value"}) {
    CAPTURE(name);
    check_result(convolution(name), inputs, {8, 8, 8});
  }
}

TEST_CASE("names: an Input may be called as a function that kernels call") {
  std::map<std::string, Buffer> inputs;
  const auto read = [&](const std::string& name) {
    inputs[name] = counted({4});
    return Input(name, Float(32), {4})(x) / 8;
  };
  const Expr bits = cast(Int(32), read("popcount") + read("clz"));
  Func out("out");
  out(x) = acos(read("acos")) + asin(read("asin")) + atan(read("atan")) + atan2(read("atan2"), 1) +
           cosh(read("cosh")) + exp2(read("exp2")) + fma(read("fma"), 2, 1) + log2(abs(read("log2")) + 1) +
           sinh(read("sinh")) + tan(read("tan")) + trunc(read("trunc")) + asinh(read("asinh")) +
           acosh(read("acosh")) + atanh(read("atanh")) + log1p(read("log1p")) + fmod(read("fmod"), 2) +
           popcount(bits) + count_leading_zeros(bits);
  out.bound({4});
  CHECK_NOTHROW(Pipeline(out).realize(inputs, *Device::open()));
}

TEST_CASE("names: a Var may be called as the compiler calls a loop") {
  for (const std::string name : {"out.1.r_0", "1.r_0", "1.x", "value", "0", "\\1.x", "x.0", "x.first0"}) {
    CAPTURE(name);
    const Input in("in", Float(32), {8, 8});
    const Var odd(name), other("x");
    const RDom r({{0, 4}}, "r");
    Func out("out");
    out(odd, other) = in(odd, other);
    out(odd, other) += in(r, other) * cast(Float(32), odd);
    out.bound({8, 8}).gpu_blocks(other, odd);
    out.update().gpu_blocks(other, odd);
    check_result(out, {{"in", counted({8, 8})}}, {8, 8});
  }
}

TEST_CASE("names: a register tile and a Func whose name is that of one of its parts in C") {
  const Input in("in", Float(32), {8});
  Func tile("tile"), part("tile_0"), out("out");
  part(x) = in(x)*2.0f;
  tile(x) = part(x) + 1.0f;
  out(x) = tile(x) * part(x);
  part.compute_root();
  out.bound({8}).split(x, xo, xi, 4).vectorize(xi).gpu_blocks(xo);
  tile.compute_at(out, xo).vectorize(x);
  check_result(out, {{"in", counted({8})}}, {8});
}

TEST_CASE("names: long ones that begin alike have kernels of their own, which drivers take") {
  const std::string letters(250, 'q');
  Func first(letters + "1"), second(letters + "2"), out(letters);
  first(x) = x * 2;
  second(x) = first(x) + 1;
  out(x) = first(x) * second(x);
  out.bound({4});
  first.compute_root();
  second.compute_root();
  std::set<std::string> entries;
  for (const KernelSource& kernel : Pipeline(out).compile().kernels) entries.insert(kernel.entry);
  CHECK(entries.size() == 3);
  CHECK(std::all_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.size() < 160; }));
  check_result(out, {}, {4});
}

TEST_CASE("names: a text depends on its pipeline alone, not on what the process did before") {
  const std::string first = text_of(unnamed());
  for (int i = 0; i < 95; ++i) Var(), Func();
  const std::string second = text_of(unnamed());
  CHECK(first == second);
  CHECK(first.find("v_") == std::string::npos);
  CHECK(Pipeline(unnamed()).emit("loops") == Pipeline(unnamed()).emit("loops"));
  CHECK(Pipeline(unnamed()).emit("funcs") == Pipeline(unnamed()).emit("funcs"));
  check_result(unnamed(), {{"in", counted({12, 12})}}, {12, 8});
}

TEST_CASE("names: an unnamed Var is not called as another one") {
  const Var v0("v0"), unnamed_one;
  Func out("out");
  out(v0, unnamed_one) = v0 * 100 + unnamed_one;
  out.bound({4, 4});
  check_result(out, {}, {4, 4});
  CHECK(Pipeline(out).emit("loops").find("out.v1") != std::string::npos);
}

}  // namespace tensordsl
