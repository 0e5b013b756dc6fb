// Types of elements that the language does not have: their values, casts to them, and refusals.
#include "ops/narrow_types.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "onnx/evaluate_node.h"
#include "onnx/file/read_tensor.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

constexpr int kBfloat16 = 16, kE4m3fn = 17, kE4m3fnuz = 18, kE5m2 = 19, kE5m2fnuz = 20, kUint4 = 21,
              kInt4 = 22, kE2m1 = 23, kE8m0 = 24, kUint2 = 25, kInt2 = 26;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

/// Output y of a model that has no inputs, as the file has it.
std::vector<double> folded(OnnxModel model) {
  ImportOptions options;
  options.evaluate = evaluate_node;
  const Graph graph = model.output("y").import(options);
  std::vector<double> values;
  const Buffer& y = graph.constants.at("y");
  for (std::int64_t i = 0; i < y.elements(); ++i) values.push_back(y.get(i));
  return values;
}

std::vector<double> cast(const Floats& values, int to, const std::vector<::onnx::AttributeProto>& more = {}) {
  std::vector<::onnx::AttributeProto> attributes = more;
  attributes.push_back(attribute("to", to));
  OnnxModel model(25);
  model.floats("x", {static_cast<std::int64_t>(values.size())}, values)
      .node("Cast", {"x"}, {"y"}, attributes);
  return folded(model);
}

/// The numbers of a type that are not negative, from the smallest on.
std::vector<double> numbers_of(const NarrowType& type) {
  std::vector<double> numbers;
  for (std::uint32_t bits = 0; bits < (1U << (type.bits - 1)); ++bits) {
    if (const double value = narrow_value(type, bits); std::isfinite(value)) numbers.push_back(value);
  }
  return numbers;
}

std::vector<double> read(int type, const Ints& shape, const std::string& raw) {
  ::onnx::TensorProto tensor;
  tensor.set_name("t");
  tensor.set_data_type(type);
  for (const std::int64_t extent : shape) tensor.add_dims(extent);
  tensor.set_raw_data(raw);
  const Buffer buffer = read_tensor(tensor, "");
  std::vector<double> values;
  for (std::int64_t i = 0; i < buffer.elements(); ++i) values.push_back(buffer.get(i));
  return values;
}

}  // namespace

TEST_CASE("narrow types: the values of bits") {
  const auto value = [](int type, std::uint32_t bits) { return narrow_value(*find_narrow_type(type), bits); };
  CHECK(value(kBfloat16, 0x3FC0) == 1.5);
  CHECK(value(kBfloat16, 0x0001) == 0x1p-133);
  CHECK(value(kBfloat16, 0xFF80) == -kInfinity);
  CHECK(std::isnan(value(kBfloat16, 0x7F81)));
  CHECK(value(kE4m3fn, 0x7E) == 448);
  CHECK(value(kE4m3fn, 0x81) == -0x1p-9);
  CHECK(std::isnan(value(kE4m3fn, 0xFF)));
  CHECK(value(kE4m3fnuz, 0x7F) == 240);
  CHECK(std::isnan(value(kE4m3fnuz, 0x80)));
  CHECK(value(kE5m2, 0x7B) == 57344);
  CHECK(value(kE5m2, 0x7C) == kInfinity);
  CHECK(value(kE5m2fnuz, 0x7F) == 57344);
  CHECK(value(kE5m2fnuz, 0x01) == 0x1p-17);
  CHECK(value(kE2m1, 0x7) == 6);
  CHECK(value(kE2m1, 0x9) == -0.5);
  CHECK(value(kE8m0, 0x7F) == 1);
  CHECK(value(kE8m0, 0) == 0x1p-127);
  CHECK(std::isnan(value(kE8m0, 0xFF)));
  CHECK(value(kUint4, 15) == 15);
  CHECK(value(kInt4, 8) == -8);
  CHECK(value(kUint2, 3) == 3);
  CHECK(value(kInt2, 3) == -1);
  CHECK(find_narrow_type(::onnx::TensorProto::FLOAT) == nullptr);
}

TEST_CASE("narrow types: several elements are in a byte, the first in its lowest bits") {
  using Values = std::vector<double>;
  CHECK(read(kInt4, {3}, "\x8F\x07") == Values{-1, -8, 7});
  CHECK(read(kUint4, {3, 1}, "\x8F\x07") == Values{15, 8, 7});
  CHECK(read(kInt2, {5}, "\xE4\x02") == Values{0, 1, -2, -1, -2});
  CHECK(read(kUint2, {1}, "\x03") == Values{3});
  CHECK(read(kE2m1, {3}, "\x7F\x01") == Values{-6, 6, 0.5});
  CHECK(read(kBfloat16, {2}, std::string("\xC0\x3F\x00\xC0", 4)) == Values{1.5, -2});
  CHECK(read(kInt4, {0}, "").empty());

  ::onnx::TensorProto tensor;
  tensor.set_data_type(kInt4);
  tensor.set_name("t");
  tensor.add_dims(3);
  tensor.add_int32_data(0x8F);
  CHECK_THROWS_WITH_AS(read_tensor(tensor, ""), "tensor 't': INT4[3] needs 2 values, but has 1", ModelError);
  tensor.add_int32_data(0x07);
  CHECK(read_tensor(tensor, "").get_int(1) == -8);
  CHECK(read_tensor(tensor, "").type() == Int(8));
  tensor.set_raw_data("123");
  CHECK_THROWS_WITH_AS(read_tensor(tensor, ""), "tensor 't': INT4[3] needs 2 bytes, but has 3", ModelError);
  tensor.set_data_type(kBfloat16);
  tensor.clear_raw_data();
  tensor.add_int32_data(0x3FC0);
  CHECK(read_tensor(tensor, "").get(2) == 1.5);
}

TEST_CASE("narrow types: a cast gives the nearest number, of two the one whose last bit is 0") {
  for (const int number : {kE4m3fn, kE4m3fnuz, kE5m2, kE5m2fnuz, kE2m1}) {
    CAPTURE(number);
    const std::vector<double> numbers = numbers_of(*find_narrow_type(number));
    Floats values;
    std::vector<double> expected;
    const auto add = [&](double value, double wanted) {
      for (const double sign : {1.0, -1.0}) {
        values.push_back(static_cast<float>(sign * value));
        expected.push_back(sign * wanted);
      }
    };
    for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
      const double low = numbers[i], high = numbers[i + 1], step = high - low;
      add(low, low);
      add(low + step * 0.499, low);
      add(low + step * 0.5, i % 2 == 0 ? low : high);
      add(low + step * 0.501, high);
    }
    add(numbers.back(), numbers.back());
    add(1e30, numbers.back());
    add(kInfinity, numbers.back());
    CHECK(cast(values, number) == expected);
  }
}

TEST_CASE("narrow types: bfloat16 is the upper half of an f32, rounded to even") {
  Floats values;
  std::vector<double> expected;
  std::uint32_t bits = 0x00800000;
  for (int i = 0; i < 4000; ++i, bits += 0x0007D123) {
    if ((bits & 0x7F800000) == 0x7F800000 || (bits & 0x7F800000) == 0) continue;
    const std::uint32_t tie = i % 3 == 0 ? (bits & 0xFFFF0000) | 0x8000 : bits;
    values.push_back(std::bit_cast<float>(tie));
    expected.push_back(std::bit_cast<float>((tie + 0x7FFF + ((tie >> 16) & 1)) & 0xFFFF0000));
  }
  REQUIRE(values.size() > 3000);
  CHECK(cast(values, kBfloat16) == expected);
  CHECK(cast({kInfinity, -kInfinity, 3.4e38F, -0.0F, 0x2.8p-133F, 0x3.8p-133F}, kBfloat16) ==
        std::vector<double>{kInfinity, -kInfinity, kInfinity, 0, 0x1p-132, 0x1p-131});
  CHECK(std::isnan(cast({kNan}, kBfloat16)[0]));
}

TEST_CASE("narrow types: what is too large without saturate is an infinity or a NaN") {
  const std::vector<::onnx::AttributeProto> plainly{attribute("saturate", 0)};
  CHECK(cast({61440, -kInfinity, 61439}, kE5m2, plainly) ==
        std::vector<double>{kInfinity, -kInfinity, 57344});
  CHECK(cast({464, -464}, kE4m3fn, plainly) == std::vector<double>{448, -448});
  for (const int number : {kE4m3fn, kE4m3fnuz, kE5m2fnuz}) {
    for (const double value : cast({65536, kInfinity, kNan}, number, plainly)) CHECK(std::isnan(value));
  }
  CHECK(cast({kNan, 100}, kE2m1, plainly) == std::vector<double>{0, 6});
}

TEST_CASE("narrow types: a power of 2 is rounded as round_mode says") {
  const Floats values{1, 1.25F, 1.5F, 3, 0x1p-126F, 0x1.8p127F};
  using Values = std::vector<double>;
  const auto by = [](const char* mode) { return std::vector{attribute("round_mode", mode)}; };
  CHECK(cast(values, kE8m0) == Values{1, 2, 2, 4, 0x1p-126, 0x1p127});
  CHECK(cast(values, kE8m0, by("nearest")) == Values{1, 1, 2, 4, 0x1p-126, 0x1p127});
  CHECK(cast(values, kE8m0, by("down")) == Values{1, 1, 1, 2, 0x1p-126, 0x1p127});
  CHECK(cast({0, kInfinity}, kE8m0) == Values{0x1p-127, 0x1p127});
  std::vector<::onnx::AttributeProto> plainly = by("nearest");
  plainly.push_back(attribute("saturate", 0));
  for (const double value : cast({0, 0x1.8p127F, kInfinity, kNan}, kE8m0, plainly)) CHECK(std::isnan(value));
}

TEST_CASE("narrow types: integers keep their lowest bits") {
  const auto ints = [](int to) {
    OnnxModel model(25);
    return folded(model.ints("x", {5}, {-9, -1, 3, 8, 17}).node("Cast", {"x"}, {"y"}, {attribute("to", to)}));
  };
  using Values = std::vector<double>;
  CHECK(ints(kInt4) == Values{7, -1, 3, -8, 1});
  CHECK(ints(kUint4) == Values{7, 15, 3, 8, 1});
  CHECK(ints(kInt2) == Values{-1, -1, -1, 0, 1});
  CHECK(ints(kUint2) == Values{3, 3, 3, 0, 1});
}

TEST_CASE("narrow types: the zero point says what numbers are quantized to") {
  const auto quantized = [](int type, const Ints& zero) {
    OnnxModel model(25);
    model.floats("x", {5}, {-9, -0.6F, 0.25F, 2, 400})
        .floats("s", {}, {0.5F})
        .small_ints("z", {}, zero, type);
    return folded(model.node("QuantizeLinear", {"x", "s", "z"}, {"y"}));
  };
  using Values = std::vector<double>;
  CHECK(quantized(kInt4, {1}) == Values{-8, 0, 1, 5, 7});
  CHECK(quantized(kUint4, {3}) == Values{0, 2, 3, 7, 15});
  CHECK(quantized(kInt2, {0}) == Values{-2, -1, 0, 1, 1});
  CHECK(quantized(kE4m3fn, {0}) == Values{-18, -1.25, 0.5, 4, 448});
  CHECK(quantized(kE2m1, {0}) == Values{-6, -1, 0.5, 4, 6});
  CHECK(quantized(::onnx::TensorProto::UINT8, {3}) == Values{0, 2, 3, 7, 255});
}

TEST_CASE("narrow types: what is computed of them has their type where that matters") {
  OnnxModel model(25);
  model.input("x", {4}, kBfloat16).input("w", {2}).output("y", {2, 2}, kBfloat16);
  model.ints("s", {2}, {2, 2}).node("Reshape", {"x", "s"}, {"r"}).node("CastLike", {"w", "r"}, {"n"});
  model.node("Mul", {"r", "n"}, {"y"});
  const Graph graph = model.import();
  std::string text;
  for (const Node& node : graph.nodes) text += node.op + " ";
  CHECK(text == "Reshape CastToNarrow Mul ");
  CHECK(graph.warnings == Names{"the input 'x' is BFLOAT16, but is given as f32",
                                "the output 'y' is BFLOAT16, but is given as f32"});

  OnnxModel wide(25);
  wide.input("x", {4}, kBfloat16).node("Cast", {"x"}, {"c"}, {attribute("to", 1)});
  CHECK(wide.input("w", {2}).node("CastLike", {"w", "c"}, {"y"}).output("y").import().nodes[1].op == "Cast");

  OnnxModel scale(25);
  scale.input("x", {4}, kE5m2).input("s", {}, kBfloat16);
  scale.node("DequantizeLinear", {"x", "s"}, {"y"});
  const Graph dequantized = scale.output("y").import();
  REQUIRE(dequantized.nodes.size() == 2);
  CHECK(dequantized.nodes[1].op == "CastToNarrow");
}

TEST_CASE("narrow types: what does not fit is refused") {
  const auto error = [](const char* op, const std::vector<::onnx::AttributeProto>& attributes, int type = 1) {
    OnnxModel model(25);
    model.input("x", {4}).floats("s", {}, {1}).input("z", {}, type);
    const Names inputs = op == std::string("Cast") ? Names{"x"} : Names{"x", "s", "z"};
    return model.node(op, inputs, {"y"}, attributes).output("y").error();
  };
  CHECK(error("Cast", {attribute("to", kE8m0), attribute("round_mode", "even")}) ==
        "m.onnx: node 'y' (Cast): attribute round_mode = \"even\" is not supported; supported: up, down, "
        "nearest");
  CHECK(error("Cast", {attribute("to", kE5m2), attribute("saturate", 2)}) ==
        "m.onnx: node 'y' (Cast): attribute saturate = 2 is not supported; supported: 0, 1");
  CHECK(error("QuantizeLinear", {attribute("output_dtype", kInt4)}, kUint4) ==
        "m.onnx: node 'y' (QuantizeLinear): the zero point is UINT4 and the output INT4; their types must be "
        "the "
        "same");
  CHECK(error("QuantizeLinear", {}, kBfloat16) ==
        "m.onnx: node 'y' (QuantizeLinear): the output would be BFLOAT16; supported: i8, u8, i16, u16, and "
        "integers "
        "and floats of 8 bits or less");
  CHECK(error("DequantizeLinear", {}) ==
        "m.onnx: node 'y' (DequantizeLinear): input 0 is f32[4]; supported: i8, u8, i16, u16, i32");
}

TEST_CASE("narrow types: bits are those of types that the language has, of equal width") {
  const auto error_of_cast = [](int from, int to) {
    OnnxModel model(26);
    return model.input("x", {3}, from)
        .node("BitCast", {"x"}, {"y"}, {attribute("to", to)})
        .output("y")
        .error();
  };
  using ::onnx::TensorProto;
  const std::string at = "m.onnx: node 'y' (BitCast): ";
  CHECK(error_of_cast(TensorProto::FLOAT, TensorProto::INT32) == "no error");
  CHECK(error_of_cast(TensorProto::BOOL, TensorProto::UINT8) == "no error");
  CHECK(error_of_cast(TensorProto::FLOAT, TensorProto::FLOAT16) ==
        at + "input 0 is f32[3], of 32 bits, and f16 has 16; a BitCast needs types of equal width");
  CHECK(error_of_cast(TensorProto::BFLOAT16, TensorProto::INT16) ==
        at +
            "BFLOAT16 is stored as f32, with a different number of bits; supported: types that kernels have");
  CHECK(
      error_of_cast(TensorProto::UINT8, kE5m2) ==
      at +
          "FLOAT8E5M2 is stored as f32, with a different number of bits; supported: types that kernels have");
}
