// Tests the structure that schedules rely on: names, dimensions, reduction axes, and indices without needless
// arithmetic.
#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include "ir/nodes/function.h"
#include "ops/define_operator.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using testing::define_operator;

namespace {

Attributes attributes(const std::map<std::string, Attributes::Value>& values) {
  Attributes result;
  for (const auto& [name, value] : values) result.set(name, value);
  return result;
}

TensorInfo f32(Shape shape) { return {"", Float(32), std::move(shape)}; }

/// "y_sum(n, c, h, w) over r_0:3 r_1:3 = value", of the last definition.
std::string text(const ir::Function& function) {
  const ir::Definition& last = function.definitions.back();
  std::string domain;
  for (const ir::ReductionAxis& axis : last.domain)
    domain += fmt::format(" {}:{}", axis.name, to_string(axis.extent));
  return fmt::format("{}({}){} = {}", function.name, fmt::join(function.dims, ", "),
                     domain.empty() ? "" : " over" + domain, to_string(last.value()));
}

/// The Funcs of a definition, the output last.
std::string text(const std::vector<Func>& outputs) {
  std::string result;
  for (const ir::FunctionPtr& f : ir::reachable(outputs.at(0).shared())) {
    if (!f->is_input()) result += (result.empty() ? "" : "\n") + text(*f);
  }
  return result;
}

std::string define(const std::string& op, const std::vector<TensorInfo>& infos,
                   const std::map<std::string, Attributes::Value>& values = {}) {
  return text(define_operator(op, infos, attributes(values)).outputs);
}

}  // namespace

TEST_CASE("Conv: without pads it reads its input, over kernel rows, kernel columns, input channels") {
  CHECK(define("Conv", {f32({1, 4, 5, 5}), f32({8, 4, 3, 3})}) ==
        "y_sum(n, c, h, w) over r_0:3 r_1:3 r_2:4 = y_sum(n, c, h, w):f32 + x0(n, r_2, h + r_0, w + "
        "r_1):f32*x1(c, r_2, r_0, r_1):f32\n"
        "y(n, c, h, w) = y_sum(n, c, h, w):f32");
}

TEST_CASE("Conv: pads make a padded Func that only extends the dimensions that need it") {
  CHECK(define("Conv", {f32({1, 4, 5, 5}), f32({8, 4, 1, 3}), f32({8})}, {{"pads", Ints{0, 1, 0, 1}}}) ==
        "y_padded(b0, b1, b2, b3) = select(0 <= b3 && b3 < 5, x0(b0, b1, b2, min(max(b3, 0), 5 - 1)):f32, "
        "f32(0))\n"
        "y_sum(n, c, h, w) over r_0:1 r_1:3 r_2:4 = y_sum(n, c, h, w):f32 + y_padded(n, r_2, h + r_0, w + "
        "r_1 - 1):f32*x1(c, r_2, r_0, r_1):f32\n"
        "y(n, c, h, w) = y_sum(n, c, h, w):f32 + x2(c):f32");
}

TEST_CASE("Conv: depthwise has no input channel axis, groups have one") {
  CHECK(define("Conv", {f32({1, 4, 5, 5}), f32({4, 1, 3, 3})}, {{"group", std::int64_t{4}}}) ==
        "y_sum(n, c, h, w) over r_0:3 r_1:3 = y_sum(n, c, h, w):f32 + x0(n, c, h + r_0, w + r_1):f32*x1(c, "
        "0, r_0, r_1):f32\n"
        "y(n, c, h, w) = y_sum(n, c, h, w):f32");
  CHECK(define("Conv", {f32({1, 4, 5, 5}), f32({6, 2, 3, 3})}, {{"group", std::int64_t{2}}}) ==
        "y_sum(n, c, h, w) over r_0:3 r_1:3 r_2:2 = y_sum(n, c, h, w):f32 + x0(n, c/3*2 + r_2, h + r_0, w + "
        "r_1):f32*x1(c, r_2, r_0, r_1):f32\n"
        "y(n, c, h, w) = y_sum(n, c, h, w):f32");
}

TEST_CASE("Gemm and MatMul: one reduction axis") {
  CHECK(define("Gemm", {f32({3, 5}), f32({7, 5}), f32({7})}, {{"transB", std::int64_t{1}}}) ==
        "y_sum(d0, d1) over r_0:5 = y_sum(d0, d1):f32 + x0(d0, r_0):f32*x1(d1, r_0):f32\n"
        "y(d0, d1) = y_sum(d0, d1):f32 + x2(d1):f32");
  CHECK(define("MatMul", {f32({1, 3, 5}), f32({2, 5, 7})}) ==
        "y_sum(d0, d1, d2) over r_0:5 = y_sum(d0, d1, d2):f32 + x0(0, d1, r_0):f32*x1(d0, r_0, d2):f32\n"
        "y(d0, d1, d2) = y_sum(d0, d1, d2):f32");
}

TEST_CASE("AveragePool: the divisor is a constant unless a window leaves what is counted") {
  CHECK(define("AveragePool", {f32({1, 2, 6, 6})}, {{"kernel_shape", Ints{2, 2}}}) ==
        "y_sum(n, c, h, w) over r_0:2 r_1:2 = y_sum(n, c, h, w):f32 + x0(n, c, h + r_0, w + r_1):f32\n"
        "y(n, c, h, w) = y_sum(n, c, h, w):f32/4.0");
  CHECK(define("AveragePool", {f32({1, 2, 5, 5})},
               {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 0, 1, 0}}}) ==
        "y_padded(b0, b1, b2, b3) = select(0 <= b2 && b2 < 5, x0(b0, b1, min(max(b2, 0), 5 - 1), b3):f32, "
        "f32(0))\n"
        "y_sum(n, c, h, w) over r_0:3 r_1:3 = y_sum(n, c, h, w):f32 + y_padded(n, c, h + r_0 - 1, w + "
        "r_1):f32\n"
        "y(n, c, h, w) = y_sum(n, c, h, w):f32/f32((min(5 - (h - 1), 3) - max(0 - (h - 1), 0))*3)");
}

TEST_CASE("GlobalAveragePool and Softmax: reduced dimensions stay") {
  CHECK(define("GlobalAveragePool", {f32({1, 8, 7, 7})}) ==
        "y_sum(n, c, h, w) over r_0:7 r_1:7 = y_sum(n, c, h, w):f32 + x0(n, c, r_0, r_1):f32\n"
        "y(n, c, h, w) = y_sum(n, c, h, w):f32/49.0");
  CHECK(define("Softmax", {f32({2, 5})}) ==
        "y_max(d0, d1) over r_0:5 = max(y_max(d0, d1):f32, x0(d0, r_0):f32)\n"
        "y_sum(d0, d1) over r_0:5 = y_sum(d0, d1):f32 + exp(x0(d0, r_0):f32 - y_max(d0, 0):f32)\n"
        "y(d0, d1) = exp(x0(d0, d1):f32 - y_max(d0, 0):f32)/y_sum(d0, 0):f32");
}

TEST_CASE("Reshape: indices are only taken apart within a group of dimensions") {
  const auto reshaped = [](const Shape& from, const Ints& to) {
    return define("Reshape", {f32(from)}, {{"shape", to}});
  };
  CHECK(reshaped({1, 1000, 1, 1}, {1, 1000}) == "y(d0, d1) = x0(0, d1, 0, 0):f32");
  CHECK(reshaped({2, 12, 5}, {2, 3, 4, 5}) == "y(d0, d1, d2, d3) = x0(d0, d1*4 + d2, d3):f32");
  CHECK(reshaped({2, 3, 4, 5}, {2, 12, 5}) == "y(d0, d1, d2) = x0(d0, d1/4, d1%4, d2):f32");
  CHECK(reshaped({10, 3, 4}, {6, 20}) ==
        "y(d0, d1) = x0((d0*20 + d1)/12, (d0*20 + d1)/4%3, (d0*20 + d1)%4):f32");
}

TEST_CASE("Concat: every input is read inside its shape") {
  CHECK(define("Concat", {f32({3, 2}), f32({3, 5})}, {{"axis", std::int64_t{1}}}) ==
        "y(d0, d1) = select(d1 < 2, x0(d0, min(max(d1, 0), 1)):f32, x1(d0, min(max(d1 - 2, 0), 4)):f32)");
}

TEST_CASE("Pad: dimensions that are only cropped are not tested") {
  CHECK(define("Pad", {f32({5, 3})}, {{"pads", Ints{-1, 1, 0, 0}}}) ==
        "y(d0, d1) = select(0 <= d1 - 1, x0(d0 + 1, min(max(d1 - 1, 0), 2)):f32, 0.0)");
}

TEST_CASE("definitions: f16 values are computed in f32 and stored as f16") {
  const TensorInfo half{"", Float(16), {3}};
  CHECK(text(define_operator("Add", {half, half}, {}).outputs) ==
        "y(d0) = f16(f32(x0(d0):f16) + f32(x1(d0):f16))");
}

TEST_CASE("definitions: two nodes that pad the same input make Funcs of different names") {
  const Attributes pads = attributes({{"pads", Ints{1, 1, 1, 1}}});
  const auto a = define_operator("Conv", {f32({1, 1, 3, 3}), f32({1, 1, 3, 3})}, pads, "a");
  const auto b = define_operator("Conv", {f32({1, 1, 3, 3}), f32({1, 1, 3, 3})}, pads, "b");
  CHECK(a.outputs[0].producer("a_padded").name() == "a_padded");
  CHECK(b.outputs[0].producer("b_padded").name() == "b_padded");
}

TEST_CASE("definitions: an extent that no index can count is refused") {
  CHECK_THROWS_WITH_AS(
      define("Softmax", {{"", Float(16), {2, std::int64_t{1} << 31}}}),
      "the extent or offset 2147483648 is not supported; supported: -2147483648 to 2147483647", ShapeError);
}

TEST_CASE("Dropout: its mask is a second output, true everywhere") {
  const auto dropout = define_operator("Dropout", {f32({2, 3})}, {}, "y", 2);
  REQUIRE(dropout.outputs.size() == 2);
  CHECK(text(*dropout.outputs[1].shared()) == "y_mask(d0, d1) = true");
  CHECK(dropout.inferred.outputs[1].type == Bool());
  CHECK(dropout.inferred.outputs[1].shape == Shape{2, 3});
}

TEST_CASE("Gemm: an optional input that is absent keeps the places of the others") {
  const Input a("a", Float(32), {2, 3}), b("b", Float(32), {3, 4});
  const Attributes values =
      attributes({{"alpha", 1.0}, {"beta", 1.0}, {"transA", std::int64_t{0}}, {"transB", std::int64_t{0}}});
  const auto outputs = find_operator("Gemm")->define(
      {"y", values, {a, b, std::nullopt}, {f32({2, 3}), f32({3, 4}), {}}, {f32({2, 4})}});
  CHECK(text(*outputs.at(0).shared()) == "y(d0, d1) = y_sum(d0, d1):f32");
}
