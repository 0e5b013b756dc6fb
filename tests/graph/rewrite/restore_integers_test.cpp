// Tests which constants are stored as the integers of the model's file, and that models compute the same with
// them.
#include "graph/rewrite/restore_integers.h"

#include <doctest/doctest.h>

#include <cmath>

#include "graph/rewrite/propagate_scalars.h"
#include "graph/views/fold_views.h"
#include "support/after_pass.h"
#include "support/graph_values.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::OnnxModel;

namespace {

constexpr int kI8 = ::onnx::TensorProto::INT8, kU8 = ::onnx::TensorProto::UINT8;
constexpr int kFloat = ::onnx::TensorProto::FLOAT;

Ints spread_integers(std::int64_t count, std::int64_t least, std::int64_t numbers) {
  Ints values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(i * 37 % numbers + least);
  return values;
}

Floats odd_scales(std::int64_t count) {
  Floats values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(0.003F + std::sin(static_cast<float>(i)) / 700);
  return values;
}

/// Constants of bytes, a zero point and scales.
OnnxModel quantized(const Ints& shape, int type, const Ints& of_scales, std::int64_t zero = 0) {
  OnnxModel model(21);
  std::int64_t count = 1, scales = 1;
  for (const std::int64_t extent : shape) count *= extent;
  for (const std::int64_t extent : of_scales) scales *= extent;
  model.small_ints("q", shape, spread_integers(count, type == kI8 ? -127 : 0, 255), type);
  model.floats("s", of_scales, odd_scales(scales));
  return model.small_ints("z", of_scales, Ints(static_cast<std::size_t>(scales), zero), type);
}

DefinitionGraph before_pass(const OnnxModel& model) {
  tensordsl::onnx::ImportOptions options;
  options.evaluate = tensordsl::onnx::evaluate_node;
  return after<propagate_scalars>(
      after<fold_views>(after<simplify_graph>(tensordsl::onnx::define_graph(model.import(options)))));
}

/// The constants that take less than before: "q2: i8 [64, 80], q2_scale: [80]".
std::string stored(const DefinitionGraph& graph) {
  std::string text;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (!tensor.constant || !tensor.stored_as) continue;
    text += (text.empty() ? "" : ", ") + tensor.name + ": " + to_string(*tensor.stored_as);
    text += fmt::format("[{}]", fmt::join(tensor.constant->shape(), ", "));
  }
  return text;
}

/// The graph after the pass, which must compute the same except for where a scale is applied.
DefinitionGraph restored(const OnnxModel& model) {
  const DefinitionGraph before = before_pass(model);
  const DefinitionGraph graph = after<restore_integers>(before);
  const auto expected = testing::values_of(before), found = testing::values_of(graph);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    REQUIRE(found[i].size() == expected[i].size());
    double difference = 0, largest = 0;
    for (std::size_t j = 0; j < found[i].size(); ++j) {
      difference = std::max(difference, std::abs(found[i][j] - expected[i][j]));
      largest = std::max(largest, std::abs(expected[i][j]));
    }
    CHECK(largest > 0);
    CHECK(difference <= 2e-6 * largest);
  }
  return graph;
}

OnnxModel& multiply(OnnxModel& model, const std::string& w, std::int64_t depth) {
  return model.input("x", {3, depth}).node("MatMul", {"x", w}, {"y"}).output("y");
}

}  // namespace

TEST_CASE("file's integers: Cast and Mul, Sub before it, and DequantizeLinear leave bytes and scales") {
  OnnxModel cast = quantized({64, 80}, kI8, {1, 80});
  cast.node("Cast", {"q"}, {"f"}, {attribute("to", kFloat)}).node("Mul", {"f", "s"}, {"w"});
  CHECK(stored(restored(multiply(cast, "w", 64))) == "w_scale: f32[80], w: i8[64, 80]");

  OnnxModel less_zero = quantized({64, 80}, kU8, {1, 80}, 101);
  less_zero.node("Cast", {"q"}, {"f"}, {attribute("to", kFloat)});
  less_zero.node("Cast", {"z"}, {"g"}, {attribute("to", kFloat)}).node("Sub", {"f", "g"}, {"d"});
  less_zero.node("Mul", {"d", "s"}, {"w"});
  CHECK(stored(restored(multiply(less_zero, "w", 64))) == "w_scale: f32[80], w: u8[64, 80]");

  OnnxModel linear = quantized({64, 80}, kI8, {80});
  linear.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 1)});
  CHECK(stored(restored(multiply(linear, "w", 64))) == "w_scale: f32[80], w: i8[64, 80]");

  OnnxModel one = quantized({64, 80}, kU8, {}, 128);
  one.node("DequantizeLinear", {"q", "s", "z"}, {"w"});
  CHECK(stored(restored(multiply(one, "w", 64))) == "w: i8[64, 80]");
}

TEST_CASE("file's integers: scales along the sum, or in blocks along it, are applied to each weight") {
  OnnxModel rows = quantized({64, 80}, kI8, {64});
  rows.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 0)});
  CHECK(stored(restored(multiply(rows, "w", 64))) == "w_scale: f32[64], w: i8[64, 80]");

  OnnxModel blocks = quantized({64, 80}, kI8, {2, 80});
  blocks.node("DequantizeLinear", {"q", "s", "z"}, {"w"},
              {attribute("axis", 0), attribute("block_size", 32)});
  CHECK(stored(restored(multiply(blocks, "w", 64))) == "w_scale: f32[2, 80], w: i8[64, 80]");
}

TEST_CASE("file's integers: a transposed factor, also of Gemm, has its scales behind the sum") {
  for (const bool is_gemm : {false, true}) {
    OnnxModel model = quantized({80, 64}, kI8, {80});
    model.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 0)});
    model.input("x", {3, 64}).floats("b", {80}, odd_scales(80));
    if (is_gemm) {
      model.node("Gemm", {"x", "w", "b"}, {"y"}, {attribute("transB", 1)});
    } else {
      model.node("Transpose", {"w"}, {"t"}).node("MatMul", {"x", "t"}, {"p"}).node("Add", {"p", "b"}, {"y"});
    }
    const DefinitionGraph graph = restored(model.output("y"));
    CHECK(stored(graph).find("_scale: f32[80]") != std::string::npos);
    std::string definitions;
    for (const DefinedTensor& tensor : graph.tensors)
      if (!tensor.func.is_input()) definitions += testing::text(tensor.func);
    CHECK(definitions.find("_scaled(") != std::string::npos);
  }
}

TEST_CASE("file's integers: convolutions have a scale for each channel, or one") {
  for (const bool is_one : {false, true}) {
    OnnxModel model = quantized({32, 16, 3, 3}, kI8, is_one ? Ints{} : Ints{32});
    model.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 0)});
    model.input("x", {1, 16, 7, 7}).node("Conv", {"x", "w"}, {"y"}).output("y");
    CHECK(stored(restored(model)) ==
          (is_one ? "w: i8[32, 16, 3, 3]" : "w_scale: f32[32], w: i8[32, 16, 3, 3]"));
  }
}

TEST_CASE("file's integers: tables, and what is added to, are made of bytes where they are read") {
  OnnxModel table = quantized({80, 64}, kU8, {80}, 7);
  table.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 0)});
  table.input("x", {5}).floats("most", {}, {60}).node("Mul", {"x", "most"}, {"number"});
  table.node("Cast", {"number"}, {"i"}, {attribute("to", static_cast<int>(::onnx::TensorProto::INT64))});
  table.node("Gather", {"w", "i"}, {"y"}).output("y");
  CHECK(stored(restored(table)) == "w_scale: f32[80], w: u8[80, 64]");

  OnnxModel added = quantized({80, 64}, kI8, {80});
  added.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 0)});
  added.input("x", {80, 64}).node("Add", {"x", "w"}, {"y"}).output("y");
  CHECK(stored(restored(added)) == "w_scale: f32[80], w: i8[80, 64]");
}

TEST_CASE("file's integers: two readers share the bytes, each with the scales where it needs them") {
  OnnxModel model = quantized({64, 80}, kI8, {80});
  model.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 1)});
  multiply(model, "w", 64).input("v", {64, 80}).node("Add", {"v", "w"}, {"u"}).output("u");
  CHECK(stored(restored(model)) == "w_scale: f32[80], w: i8[64, 80]");
}

TEST_CASE("file's integers: small constants, short runs, other numbers, and what the host reads stay f32") {
  OnnxModel small = quantized({16, 80}, kI8, {80});
  small.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 1)});
  CHECK(stored(restored(multiply(small, "w", 16))).empty());

  OnnxModel depthwise = quantized({512, 1, 3, 3}, kI8, {512});
  depthwise.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 0)});
  depthwise.input("x", {1, 512, 5, 5}).node("Conv", {"x", "w"}, {"y"}, {attribute("group", 512)}).output("y");
  CHECK(stored(restored(depthwise)).empty());

  OnnxModel root = quantized({64, 80}, kU8, {80});
  root.node("DequantizeLinear", {"q", "s", "z"}, {"p"}, {attribute("axis", 1)}).node("Sqrt", {"p"}, {"w"});
  CHECK(stored(restored(multiply(root, "w", 64))).empty());

  OnnxModel given = quantized({64, 80}, kI8, {80});
  given.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 1)}).output("w");
  CHECK(stored(restored(multiply(given, "w", 64))).empty());
}

TEST_CASE("file's integers: the pass tells what each constant is") {
  OnnxModel model = quantized({64, 80}, kI8, {80});
  model.node("DequantizeLinear", {"q", "s", "z"}, {"w"}, {attribute("axis", 1)});
  PassNotes notes;
  after<restore_integers>(before_pass(multiply(model, "w", 64)), &notes);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].tensor == "w");
  CHECK(notes[0].text == "is i8, with 80 scales");
}
