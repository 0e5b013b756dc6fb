// What the definitions compute, by the reference interpreter.
#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "ops/define_operator.h"
#include "ops/operator_cases.h"
#include "runtime/interpreter.h"
#include "schedule/schedule.h"

using namespace tensordsl;
using testing::define_operator;
using testing::func_shape;

namespace {

struct Evaluated {
  InferredNode inferred;
  Buffer value;
};

Evaluated evaluate(const std::string& op, const std::vector<Buffer>& inputs,
                   const Attributes& attributes = {}) {
  auto [inferred, outputs] = define_operator(op, testing::infos_of(inputs), attributes);
  Buffer value =
      interpret(outputs.at(0).shared(), func_shape(inferred.shape()), {testing::by_name(inputs), {}});
  return {inferred, std::move(value)};
}

template <typename T>
Buffer buffer(Type type, const Ints& shape, const std::vector<T>& values) {
  Buffer result(type, shape);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    type.is_float() ? result.set(at, static_cast<double>(values[i]))
                    : result.set_int(at, static_cast<std::int64_t>(values[i]));
  }
  return result;
}

std::vector<std::int64_t> ints(const Buffer& b) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < b.elements(); ++i) values.push_back(b.get_int(i));
  return values;
}

}  // namespace

TEST_CASE("definitions: every operator computes what ONNX Runtime does") {
  std::set<std::string> ops;
  for (const testing::OperatorCase& one : testing::operator_cases()) {
    CAPTURE(one.name);
    ops.insert(one.op);
    const Evaluated y = evaluate(one.op, one.inputs, one.attributes);
    REQUIRE(y.inferred.shape() == one.expected.shape());
    REQUIRE(y.value.type() == one.expected.type());
    CHECK(relative_error(one, y.value) <= tolerance(one));
  }
  for (const OperatorSpec& spec : operators()) {
    CAPTURE(spec.name);
    // What reads nothing is computed from Sizes, which ONNX Runtime does not have.
    if (spec.define && spec.inputs.most > 0) CHECK(ops.contains(std::string(spec.name)));
  }
}

TEST_CASE("definitions: every operator has a shape rule and a definition, or becomes others that do") {
  for (const OperatorSpec& spec : operators()) {
    CAPTURE(spec.name);
    CHECK((spec.infer != nullptr) == (spec.define != nullptr));
    CHECK((spec.infer != nullptr || spec.normalize != nullptr));
    CHECK(spec.opsets.first >= 1);
    CHECK(spec.opsets.first <= spec.opsets.last);
  }
}

TEST_CASE("Div: integers truncate toward zero, and the ends of the range hold") {
  const auto quotient = [](Type type, const Ints& a, const Ints& b) {
    const Ints shape{static_cast<std::int64_t>(a.size())};
    return ints(evaluate("Div", {buffer(type, shape, a), buffer(type, shape, b)}).value);
  };
  CHECK(quotient(Int(32), {7, -7, 7, -7, -6, 0, 5}, {2, 2, -2, -2, 2, -3, 0}) ==
        Ints{3, -3, -3, 3, -3, 0, 0});
  CHECK(quotient(Int(32), {INT32_MIN, INT32_MIN, INT32_MAX}, {-1, 2, -2}) ==
        Ints{INT32_MIN, INT32_MIN / 2, INT32_MAX / -2});
  CHECK(quotient(Int(64), {-((std::int64_t{1} << 60) + 1)}, {2}) == Ints{-(std::int64_t{1} << 59)});
  CHECK(quotient(UInt(8), {255, 7}, {2, 200}) == Ints{127, 0});
}

TEST_CASE("Pow: integers are exact, and truncate with a negative exponent") {
  const auto power = [](Type type, const Ints& a, const Ints& b) {
    const Ints shape{static_cast<std::int64_t>(a.size())};
    return ints(evaluate("Pow", {buffer(type, shape, a), buffer(type, shape, b)}).value);
  };
  CHECK(power(Int(64), {3, -3, 10, 2}, {33, 33, 18, 62}) ==
        Ints{5559060566555523, -5559060566555523, 1000000000000000000, std::int64_t{1} << 62});
  CHECK(power(Int(32), {0, 0, 1, -1, -1, -1}, {0, 40, 1000, 1000, 1001, 33}) == Ints{1, 0, 1, 1, -1, -1});
  CHECK(power(Int(32), {2, -2, 1, -1, -1, 0}, {-1, -3, -7, -7, -8, -2}) == Ints{0, 0, 1, -1, 1, 0});
  CHECK(power(Int(8), {127, -127, -2}, {-1, -2, 7}) == Ints{0, 0, -128});
  CHECK(power(UInt(8), {3, 2}, {5, 7}) == Ints{243, 128});
}

TEST_CASE("Clip: integer bounds beyond f32 are exact, those beyond the type saturate") {
  const std::int64_t large = (std::int64_t{1} << 50) + 1;
  Attributes bounds;
  bounds.set("min", -static_cast<double>(large));
  bounds.set("max", static_cast<double>(large));
  CHECK(ints(evaluate("Clip", {buffer(Int(64), {3}, Ints{-large - 5, 7, large + 5})}, bounds).value) ==
        Ints{-large, 7, large});
  bounds.set("min", -std::numeric_limits<double>::infinity());
  bounds.set("max", 1e30);
  CHECK(ints(evaluate("Clip", {buffer(Int(8), {3}, Ints{-128, 7, 127})}, bounds).value) ==
        Ints{-128, 7, 127});
  CHECK(ints(evaluate("Clip", {buffer(Int(64), {2}, Ints{INT64_MIN, INT64_MAX})}, bounds).value) ==
        Ints{INT64_MIN, INT64_MAX});
}

TEST_CASE("Softmax: numbers that would overflow give no infinity") {
  const Evaluated y =
      evaluate("Softmax", {buffer(Float(32), {1, 3}, std::vector<float>{3e38F, 3e38F, -3e38F})});
  CHECK(y.value.get(0) == 0.5);
  CHECK(y.value.get(1) == 0.5);
  CHECK(y.value.get(2) == 0);
}

// Shape inference keeps integers out of these for now; the definitions are ready for them.
TEST_CASE("definitions: products of 8-bit integers are summed in i32, their maximum pads with the lowest") {
  const Input x("x", Int(8), {1, 2, 1, 2}), w("w", Int(8), {1, 2, 1, 1});
  const TensorInfo x_info{"x", Int(8), {1, 2, 1, 2}};
  InterpretArguments arguments;
  arguments.inputs.emplace("x", buffer(Int(8), {1, 2, 1, 2}, Ints{-100, 100, -100, 100}));
  arguments.inputs.emplace("w", buffer(Int(8), {1, 2, 1, 1}, Ints{100, 100}));

  Attributes window;
  for (const char* name : {"kernel_shape", "strides", "dilations"}) window.set(name, Ints{1, 1});
  window.set("pads", Ints{0, 0, 0, 0});
  window.set("group", std::int64_t{1});
  const auto conv = find_operator("Conv")->define(
      {"y", window, {x, w}, {x_info, {"w", Int(8), {1, 2, 1, 1}}}, {{"y", Int(32), {1, 1, 1, 2}}}});
  CHECK(ints(interpret(conv.at(0).shared(), {1, 1, 1, 2}, arguments)) == Ints{-20000, 20000});

  window.set("kernel_shape", Ints{1, 2});
  window.set("pads", Ints{0, 1, 0, 1});
  const auto pool =
      find_operator("MaxPool")->define({"y", window, {x}, {x_info}, {{"y", Int(8), {1, 2, 1, 3}}}});
  CHECK(ints(interpret(pool.at(0).shared(), {1, 2, 1, 3}, arguments)) ==
        Ints{-100, 100, 100, -100, 100, 100});
}
