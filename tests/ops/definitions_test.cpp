// Tests the values of the definitions, with the reference interpreter.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "ops/define_operator.h"
#include "ops/operator_cases.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"

using namespace tensordsl;
using namespace tensordsl::ops;
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
  Buffer value = runtime::interpret(outputs.at(0).shared(), func_shape(inferred.shape()),
                                    {testing::by_name(inputs), {}});
  return {inferred, std::move(value)};
}

/// All `count` outputs.
std::vector<Buffer> evaluate_all(const std::string& op, const std::vector<Buffer>& inputs, std::size_t count,
                                 const Attributes& attributes = {}) {
  auto [inferred, outputs] = define_operator(op, testing::infos_of(inputs), attributes, "y", count);
  std::vector<Buffer> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(runtime::interpret(outputs.at(i).shared(), func_shape(inferred.outputs.at(i).shape),
                                        {testing::by_name(inputs), {}}));
  return values;
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

Buffer floats(const Ints& shape, const std::vector<double>& values) {
  return buffer(Float(32), shape, values);
}

Attributes attributes(const std::map<std::string, Attributes::Value>& values) {
  Attributes result;
  for (const auto& [name, value] : values) result.set(name, value);
  return result;
}

std::vector<double> numbers(const Buffer& b) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < b.elements(); ++i) values.push_back(b.get(i));
  return values;
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
    // Operators without inputs are computed from Sizes, which ONNX Runtime does not have. The definition of a
    // recurrent network is one step of ONNX's operator, and that of a matrix for mel bins takes the bins.
    // Operators with a data-dependent number of elements are written in several forms. These have tests of
    // their own. ONNX Runtime's operators are those of tests/model/contributed_test.cpp.
    const std::set<std::string_view> others{
        "RNN", "GRU", "LSTM", "MelWeightMatrix", "NonMaxSuppression", "NonZero", "Unique"};
    const bool is_other = others.contains(spec.name) || is_contributed(spec.name);
    if (spec.define && spec.inputs.most > 0 && !is_other) CHECK(ops.contains(std::string(spec.name)));
  }
}

TEST_CASE("definitions: every operator has a shape rule and a definition, or becomes others that do") {
  for (const OperatorSpec& spec : operators()) {
    CAPTURE(spec.name);
    CHECK(((spec.infer && spec.define) || (!spec.infer && !spec.define && spec.normalize)));
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

TEST_CASE("IsInf: of the signs that are asked for") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Buffer x = floats({4}, {kInfinity, -kInfinity, std::nan(""), 3});
  const auto found = [&](std::int64_t negative, std::int64_t positive) {
    return ints(
        evaluate("IsInf", {x}, attributes({{"detect_negative", negative}, {"detect_positive", positive}}))
            .value);
  };
  CHECK(found(1, 1) == Ints{1, 1, 0, 0});
  CHECK(found(1, 0) == Ints{0, 1, 0, 0});
  CHECK(found(0, 1) == Ints{1, 0, 0, 0});
  CHECK(found(0, 0) == Ints{0, 0, 0, 0});
}

TEST_CASE("Pow: an integer to a fraction truncates the power, to a whole number it is exact") {
  const auto power = [](const Ints& bases, const std::vector<double>& exponents) {
    const Ints shape{static_cast<std::int64_t>(bases.size())};
    return ints(evaluate("Pow", {buffer(Int(64), shape, bases), floats(shape, exponents)}).value);
  };
  CHECK(power({4, 9, 8, 10, 1000000, -3, 3, 2}, {0.5, 0.5, 1.0 / 3, 0.5, 0.5, 3, 33, -1}) ==
        Ints{2, 3, 2, 3, 1000, -27, 5559060566555523, 0});
}

TEST_CASE("BitShift: a distance of all bits or more leaves none") {
  const Buffer x = buffer(UInt(8), {3}, Ints{255, 255, 255}), by = buffer(UInt(8), {3}, Ints{7, 8, 200});
  const auto shifted = [&](const char* direction) {
    return ints(evaluate("BitShift", {x, by}, attributes({{"direction", std::string(direction)}})).value);
  };
  CHECK(shifted("LEFT") == Ints{128, 0, 0});
  CHECK(shifted("RIGHT") == Ints{1, 0, 0});
}

TEST_CASE("BitShift: of signed integers the sign is left on the right, and no distance is below 0") {
  const Ints values{-1, -128, 127, -128, 127, -1, 5, -5}, distances{1, 7, 3, 8, 8, -1, -1, 2};
  const Buffer x = buffer(Int(8), {8}, values), by = buffer(Int(8), {8}, distances);
  const auto shifted = [&](const char* direction) {
    return ints(evaluate("BitShift", {x, by}, attributes({{"direction", std::string(direction)}})).value);
  };
  CHECK(shifted("LEFT") == Ints{-2, 0, -8, 0, 0, 0, 0, -20});
  CHECK(shifted("RIGHT") == Ints{-1, -1, 15, -1, 0, -1, 0, -2});
}

TEST_CASE("Mod: of floats, with the sign of the divisor") {
  const std::vector<double> a{5.5, -5.5, 5.5, -5.5, 0, 3, 7, -7, 4},
      b{3, 3, -3, -3, 2, INFINITY, -INFINITY, INFINITY, -0.5};
  const Buffer y =
      evaluate("Mod", {floats({9}, a), floats({9}, b)}, attributes({{"fmod", std::int64_t{0}}})).value;
  CHECK(numbers(y) == std::vector<double>{2.5, 0.5, -0.5, -2.5, 0, 3, -INFINITY, INFINITY, 0});
  for (const auto& [dividend, divisor] : {std::pair{INFINITY, 2.0}, {1.0, 0.0}, {NAN, 2.0}, {2.0, NAN}}) {
    CHECK(std::isnan(evaluate("Mod", {floats({1}, {dividend}), floats({1}, {divisor})},
                              attributes({{"fmod", std::int64_t{0}}}))
                         .value.get(0)));
  }
}

TEST_CASE("Mod: the sign is that of the divisor, with fmod that of the dividend; modulo 0 is 0") {
  const auto remainder = [](std::int64_t fmod, const Ints& a, const Ints& b) {
    const Ints shape{static_cast<std::int64_t>(a.size())};
    return ints(
        evaluate("Mod", {buffer(Int(32), shape, a), buffer(Int(32), shape, b)}, attributes({{"fmod", fmod}}))
            .value);
  };
  const Ints a{-4, 7, 5, 4, -7, 8, -6, INT32_MIN}, b{2, -3, 8, -2, 3, 5, 0, -1};
  CHECK(remainder(0, a, b) == Ints{0, -2, 5, 0, 2, 3, 0, 0});
  CHECK(remainder(1, a, b) == Ints{0, 1, 5, 0, -1, 3, 0, 0});
  const Buffer x = floats({3}, {-4.3, 7.2, 3e38}), y = floats({3}, {2.1, -3.4, 0.5});
  const Buffer value = evaluate("Mod", {x, y}, attributes({{"fmod", std::int64_t{1}}})).value;
  for (const int i : {0, 1, 2})
    CHECK(value.get(i) == std::fmod(static_cast<float>(x.get(i)), static_cast<float>(y.get(i))));
}

TEST_CASE("PRelu: integers") {
  CHECK(
      ints(evaluate("PRelu", {buffer(Int(32), {3}, Ints{-3, 0, 3}), buffer(Int(32), {1}, Ints{5})}).value) ==
      Ints{-15, 0, 3});
}

TEST_CASE("Gelu: what is left of a number far below zero is not lost in a sum") {
  const Buffer y = evaluate("Gelu", {floats({3}, {-5, -8, -12})}).value;
  CHECK(y.get(0) == doctest::Approx(-1.4332579e-6));
  CHECK(y.get(1) == doctest::Approx(-4.9767685e-15));
  CHECK(y.get(2) == doctest::Approx(-2.1317785e-32));
}

TEST_CASE("Softplus: what is small is not lost in the sum") {
  const Buffer y = evaluate("Softplus", {floats({4}, {-30, 30, -2000, 2000})}).value;
  CHECK(y.get(0) == doctest::Approx(std::exp(-30.0)).epsilon(1e-6));
  CHECK(y.get(1) == 30);
  CHECK(y.get(2) == 0);
  CHECK(y.get(3) == 2000);
}

TEST_CASE("reductions: of no elements they are what adding none leaves") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto of_none = [](const char* op, Type type) {
    const Buffer y = evaluate(op, {Buffer(type, {2, 0})}, attributes({{"axes", Ints{1}}})).value;
    CHECK(y.elements() == 2);
    return y.get(1);
  };
  for (const char* op : {"ReduceSum", "ReduceL1", "ReduceL2", "ReduceSumSquare"})
    CHECK(of_none(op, Float(32)) == 0);
  CHECK(of_none("ReduceProd", Float(32)) == 1);
  for (const char* op : {"ReduceMax", "ReduceLogSum", "ReduceLogSumExp"})
    CHECK(of_none(op, Float(32)) == -kInfinity);
  CHECK(of_none("ReduceMin", Float(16)) == kInfinity);
  CHECK(of_none("ReduceMax", Int(8)) == -128);
  CHECK(of_none("ReduceMin", UInt(8)) == 255);
  CHECK(of_none("ReduceMax", Bool()) == 0);
  CHECK(of_none("ReduceMin", Bool()) == 1);
  CHECK(std::isnan(of_none("ReduceMean", Float(32))));
}

TEST_CASE("reductions: integers are exact") {
  const auto reduced = [](const char* op, Type type, const Ints& x) {
    return ints(evaluate(op, {buffer(type, {static_cast<std::int64_t>(x.size())}, x)}).value);
  };
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  CHECK(reduced("ReduceSum", Int(64), {large, 1, -1}) == Ints{large});
  CHECK(reduced("ReduceMax", Int(64), {large - 1, large}) == Ints{large});
  CHECK(reduced("ReduceMean", Int(32), {-1, -2, -2}) == Ints{-1});
  CHECK(reduced("ReduceL2", Int(32), {30000, 30000}) == Ints{42426});
  CHECK(reduced("ReduceL2", Int(32), {3, -4}) == Ints{5});
  CHECK(reduced("ReduceMax", Bool(), {0, 1, 0}) == Ints{1});
  CHECK(reduced("ReduceMin", Bool(), {0, 1, 0}) == Ints{0});
}

TEST_CASE("ReduceLogSumExp: infinite elements give infinities") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Buffer x = floats({3, 2}, {-kInfinity, -kInfinity, kInfinity, 1, -kInfinity, 1});
  CHECK(numbers(evaluate("ReduceLogSumExp", {x}, attributes({{"axes", Ints{1}}})).value) ==
        std::vector<double>{-kInfinity, kInfinity, 1});
}

TEST_CASE("ArgMax and ArgMin: a NaN is the extremum, as in NumPy") {
  const double nan = std::nan("");
  for (const char* op : {"ArgMax", "ArgMin"}) {
    CAPTURE(op);
    CHECK(ints(evaluate(op, {floats({3}, {nan, nan, nan})}).value) == Ints{0});
    CHECK(ints(evaluate(op, {floats({4}, {1, nan, 7, nan})}).value) == Ints{1});
    CHECK(ints(evaluate(op, {floats({4}, {1, nan, 7, nan})}, attributes({{"select_last_index", 1}})).value) ==
          Ints{3});
  }
}

TEST_CASE("ReduceMax, ReduceMin and MaxPool: a NaN among the elements is the result") {
  const double nan = std::nan("");
  const Buffer rows = floats({3, 3}, {2, nan, 7, nan, 1, 2, 3, 5, 4});
  for (const char* op : {"ReduceMax", "ReduceMin"}) {
    CAPTURE(op);
    const auto result = numbers(evaluate(op, {rows}, attributes({{"axes", Ints{1}}})).value);
    CHECK(std::isnan(result[0]));
    CHECK(std::isnan(result[1]));
    CHECK(result[2] == (std::string(op) == "ReduceMax" ? 5 : 3));
  }
  const auto pooled = numbers(
      evaluate("MaxPool", {floats({1, 1, 4}, {1, nan, 3, 4})}, attributes({{"kernel_shape", Ints{2}}}))
          .value);
  CHECK(std::isnan(pooled[0]));
  CHECK(std::isnan(pooled[1]));
  CHECK(pooled[2] == 4);
}

TEST_CASE("LayerNormalization: mean and inverse deviation of each row") {
  const std::vector<Buffer> y =
      evaluate_all("LayerNormalization", {floats({2, 2}, {1, 3, 5, 5}), floats({2}, {1, 2})}, 3,
                   attributes({{"epsilon", 0.25}}));
  const double deviation = std::sqrt(1.25);
  CHECK(y[0].get(0) == doctest::Approx(-1 / deviation));
  CHECK(y[0].get(1) == doctest::Approx(2 / deviation));
  CHECK(numbers(y[1]) == std::vector<double>{2, 5});
  CHECK(y[2].get(0) == doctest::Approx(1 / deviation));
  CHECK(y[2].get(1) == 2);
}

TEST_CASE("LayerNormalization: a mean that is large beside the deviation") {
  const Buffer y = evaluate("LayerNormalization",
                            {floats({1, 4}, {10001, 10002, 10003, 10004}), floats({4}, {1, 1, 1, 1})})
                       .value;
  CHECK(y.get(0) == doctest::Approx(-1.5 / std::sqrt(1.25)).epsilon(1e-4));
}

TEST_CASE("GroupNormalization: a scale of groups is one of each channel of them") {
  const Buffer x = floats({1, 4, 2}, {1, 2, 3, 4, 50, 60, 70, 80});
  const Attributes groups = attributes({{"num_groups", std::int64_t{2}}});
  CHECK(
      numbers(evaluate("GroupNormalization", {x, floats({2}, {1, 2}), floats({2}, {3, 4})}, groups).value) ==
      numbers(
          evaluate("GroupNormalization", {x, floats({4}, {1, 1, 2, 2}), floats({4}, {3, 3, 4, 4})}, groups)
              .value));
}

TEST_CASE("LRN: the window of an even size has one channel more behind") {
  const Buffer y =
      evaluate("LRN", {floats({1, 4, 1}, {1, 2, 3, 4})},
               attributes({{"size", std::int64_t{2}}, {"alpha", 2.0}, {"beta", 1.0}, {"bias", 0.0}}))
          .value;
  CHECK(numbers(y) == std::vector<double>{1.0F / 5, 2.0F / 13, 3.0F / 25, 4.0F / 16});
}

TEST_CASE("LpNormalization: a row of zeros stays one") {
  CHECK(numbers(evaluate("LpNormalization", {floats({2, 2}, {0, 0, 3, 4})}).value) ==
        std::vector<double>{0, 0, 3.0F / 5, 4.0F / 5});
}

TEST_CASE("QuantizeLinear: halves round to even, and what is outside the type is its end") {
  const Buffer x = floats({6}, {0.5, 1.5, -2.5, 1e30, -1e30, 300});
  CHECK(ints(evaluate("QuantizeLinear", {x, floats({}, {1}), buffer(Int(8), {}, Ints{10})}).value) ==
        Ints{10, 12, 8, 127, -128, 127});
  CHECK(ints(evaluate("QuantizeLinear", {x, floats({}, {1})}).value) == Ints{0, 2, 0, 255, 0, 255});
}

TEST_CASE("MaskedSoftmax: a row of -inf is 0, and others are as those of Softmax") {
  const double hidden = -std::numeric_limits<double>::infinity();
  const Buffer x = floats({3, 2}, {hidden, hidden, hidden, -200, 1, 1});
  Attributes axis;
  axis.set("axis", std::int64_t{1});
  const Buffer y = evaluate("MaskedSoftmax", {x}, axis).value;
  for (const auto& [i, expected] : std::map<int, double>{{0, 0}, {1, 0}, {2, 0}, {3, 1}, {4, 0.5}, {5, 0.5}})
    CHECK(y.get(i) == doctest::Approx(expected));
}

TEST_CASE("QuantizationParameters: a scale and a zero point") {
  const Buffer parameters = evaluate("QuantizationParameters", {floats({3}, {-1, 0, 1.55})}).value;
  CHECK(parameters.get(0) == doctest::Approx(0.01));
  CHECK(parameters.get(1) == 100);
  const Buffer of_zeros = evaluate("QuantizationParameters", {floats({2}, {0, 0})}).value;
  CHECK(of_zeros.get(0) == 1);
  CHECK(of_zeros.get(1) == 0);
}

TEST_CASE("RowExtremes: the smallest and the largest number of each row") {
  const Buffer x = floats({2, 1, 3}, {3, -1, 2, std::numeric_limits<double>::quiet_NaN(), 7, 5});
  Attributes axis;
  axis.set("axis", std::int64_t{1});
  CHECK(ints(evaluate("RowExtremes", {x}, axis).value) == Ints{-1, 3, 5, 7});
}

TEST_CASE("QLinearMatMul: rows have scales and zero points of their own") {
  const std::vector<Buffer> inputs{buffer(UInt(8), {2, 2}, Ints{11, 12, 25, 26}),
                                   floats({2}, {1, 2}),
                                   buffer(UInt(8), {2}, Ints{10, 20}),
                                   buffer(UInt(8), {2, 1}, Ints{3, 4}),
                                   floats({}, {1}),
                                   buffer(UInt(8), {}, Ints{2}),
                                   floats({}, {1}),
                                   buffer(UInt(8), {}, Ints{100})};
  // (1 + 2 * 2) + 100 and (5 + 6 * 2) * 2 + 100
  CHECK(ints(evaluate("QLinearMatMul", inputs).value) == Ints{105, 134});
}

TEST_CASE("ConvInteger: a zero point for each channel of the weights may have ones behind") {
  const std::vector<Buffer> inputs{buffer(UInt(8), {1, 1, 1, 2}, Ints{5, 7}),
                                   buffer(UInt(8), {2, 1, 1, 1}, Ints{10, 20}), buffer(UInt(8), {}, Ints{0}),
                                   buffer(UInt(8), {2, 1, 1, 1}, Ints{9, 17})};
  CHECK(ints(evaluate("ConvInteger", inputs).value) == Ints{5, 7, 15, 21});
}

TEST_CASE("QLinearConv: outside the input is its zero point") {
  const std::vector<Buffer> inputs{buffer(UInt(8), {1, 1, 2}, Ints{101, 102}),
                                   floats({}, {1}),
                                   buffer(UInt(8), {}, Ints{100}),
                                   buffer(UInt(8), {1, 1, 3}, Ints{6, 6, 6}),
                                   floats({}, {1}),
                                   buffer(UInt(8), {}, Ints{5}),
                                   floats({}, {1}),
                                   buffer(UInt(8), {}, Ints{0})};
  CHECK(ints(evaluate("QLinearConv", inputs, attributes({{"pads", Ints{1, 1}}})).value) == Ints{3, 3});
}

// Shape inference keeps integers out of these for now; the definitions are ready for them.
TEST_CASE("definitions: products of 8-bit integers are summed in i32, their maximum pads with the lowest") {
  const Input x("x", Int(8), {1, 2, 1, 2}), w("w", Int(8), {1, 2, 1, 1});
  const TensorInfo x_info{"x", Int(8), {1, 2, 1, 2}};
  runtime::InterpretArguments arguments;
  arguments.inputs.emplace("x", buffer(Int(8), {1, 2, 1, 2}, Ints{-100, 100, -100, 100}));
  arguments.inputs.emplace("w", buffer(Int(8), {1, 2, 1, 1}, Ints{100, 100}));

  Attributes window;
  for (const char* name : {"kernel_shape", "strides", "dilations"}) window.set(name, Ints{1, 1});
  window.set("pads", Ints{0, 0, 0, 0});
  window.set("group", std::int64_t{1});
  const auto conv = find_operator("Conv")->define(
      {"y", window, {x, w}, {x_info, {"w", Int(8), {1, 2, 1, 1}}}, {{"y", Int(32), {1, 1, 1, 2}}}});
  CHECK(ints(runtime::interpret(conv.at(0).shared(), {1, 1, 1, 2}, arguments)) == Ints{-20000, 20000});

  window.set("kernel_shape", Ints{1, 2});
  window.set("pads", Ints{0, 1, 0, 1});
  const auto pool =
      find_operator("MaxPool")->define({"y", window, {x}, {x_info}, {{"y", Int(8), {1, 2, 1, 3}}}});
  CHECK(ints(runtime::interpret(pool.at(0).shared(), {1, 2, 1, 3}, arguments)) ==
        Ints{-100, 100, 100, -100, 100, 100});
}

namespace {

/// Computes one step: a state of two values, and gates with the values of `projected`.
std::vector<double> recurrent_step(const char* op, const std::vector<std::string>& activations,
                                   const std::vector<std::optional<Buffer>>& inputs, std::size_t output = 0) {
  Attributes attributes;
  attributes.set("activations", activations);
  attributes.set("activation_alpha", std::vector<double>(activations.size(), 2.0));
  attributes.set("activation_beta", std::vector<double>(activations.size(), 0.5));
  attributes.set("hidden_size", std::int64_t{2});
  if (std::string(op) == "RNN") attributes.set("first", std::int64_t{0});
  if (std::string(op) == "GRU") attributes.set("linear_before_reset", std::int64_t{0});
  if (std::string(op) == "LSTM") attributes.set("input_forget", std::int64_t{0});
  OperatorOperands operands{"y", attributes, {}, {}, {}};
  runtime::InterpretArguments arguments;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    operands.infos.emplace_back();
    operands.inputs.emplace_back();
    if (!inputs[i]) continue;
    const std::string name = "x" + std::to_string(i);
    const Shape shape = inputs[i]->shape();
    std::vector<Expr> extents;
    for (const Size& extent : shape) extents.push_back(extent.expr());
    operands.infos[i] = {name, inputs[i]->type(), shape};
    operands.inputs[i] = Input(name, inputs[i]->type(), extents);
    arguments.inputs.emplace(name, *inputs[i]);
  }
  operands.outputs.assign(output + 1, {"y", Float(32), {1, 2}});
  const Buffer y =
      runtime::interpret(find_operator(op)->define(operands).at(output).shared(), {1, 2}, arguments);
  return {y.get(0), y.get(1)};
}

Buffer row(const std::vector<float>& values) {
  return buffer(Float(32), {1, static_cast<std::int64_t>(values.size())}, values);
}

}  // namespace

TEST_CASE("recurrent steps: the gates of one step, and sequences that have ended") {
  const std::vector<float> both{9, 9, 9, 9, 9, 9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8};  // of steps 0 and 1
  const auto projected = [&](std::int64_t gates) {
    std::vector<float> values;
    for (std::size_t t = 0; t < 2; ++t)
      values.insert(values.end(), both.begin() + static_cast<std::ptrdiff_t>(t * 8),
                    both.begin() + static_cast<std::ptrdiff_t>(t * 8) + gates * 2);
    return buffer(Float(32), {2, 1, gates * 2}, values);
  };
  const Buffer second = buffer(Int(32), {2}, Ints{1, 2}), state = row({10, 20});
  const std::vector<double> affine{2 * (1 + 0.25) + 0.5, 2 * (2 + 0.5) + 0.5};
  CHECK(recurrent_step("RNN", {"Affine"}, {projected(1), second, row({0.25F, 0.5F})}) == affine);
  const auto lengths = [](std::int64_t n) { return buffer(Int(32), {1}, Ints{n}); };
  CHECK(recurrent_step("RNN", {"Relu"}, {projected(1), second, {}, state, lengths(1)}) ==
        std::vector<double>{10, 20});
  CHECK(recurrent_step("RNN", {"Relu"}, {projected(1), second, {}, state, lengths(2)}) ==
        std::vector<double>{1, 2});
  CHECK(recurrent_step("RNN", {"Relu"}, {projected(1), second, {}, {}, lengths(1)}) ==
        std::vector<double>{0, 0});

  // z = 1, 2; candidate = 5 + 0.5, 6 + 1
  CHECK(recurrent_step("GRU", {"Relu", "Relu"}, {projected(3), second, {}, state, row({0.5F, 1})}) ==
        std::vector<double>{0 * 5.5 + 1 * 10, -1 * 7 + 2 * 20});
  // i = 1, 2; o = 3, 4; f = 5, 6; c = 7, 8
  const std::vector<std::optional<Buffer>> lstm{projected(4), second, {}, {}, state};
  CHECK(recurrent_step("LSTM", {"Relu", "Relu", "Relu"}, lstm, 1) ==
        std::vector<double>{5 * 10 + 1 * 7, 6 * 20 + 2 * 8});
  CHECK(recurrent_step("LSTM", {"Relu", "Relu", "Relu"}, lstm) == std::vector<double>{3 * 57, 4 * 136});
  const std::vector<std::optional<Buffer>> first{projected(4), second};
  CHECK(recurrent_step("LSTM", {"Relu", "Relu", "Relu"}, first, 1) == std::vector<double>{7, 16});
  const Buffer peepholes = buffer(Float(32), {6}, std::vector<float>{1, 0, 0, 1, 0, 2});
  std::vector<std::optional<Buffer>> peeping = lstm;
  peeping.emplace_back(peepholes);
  // i = 1 + 10, 2; f = 5, 6 + 2 * 20; c; o = 3, 4 + c
  CHECK(recurrent_step("LSTM", {"Relu", "Relu", "Relu"}, peeping, 1) ==
        std::vector<double>{5 * 10 + 11 * 7, 46 * 20 + 2 * 8});
  CHECK(recurrent_step("LSTM", {"Relu", "Relu", "Relu"}, peeping) ==
        std::vector<double>{3 * 127, (4 + 936.0) * 936});
}
