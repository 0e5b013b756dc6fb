// Tests which weights become integers, with which scales, and that results are close.
#include "graph/rewrite/quantize_weights.h"

#include <doctest/doctest.h>

#include <cmath>

#include "graph/planned_model.h"
#include "support/after_pass.h"
#include "support/convolutions.h"
#include "support/graph_values.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using testing::Floats;
using testing::Ints;
using testing::OnnxModel;
using testing::PlannedModel;
using testing::SmallConvolution;

namespace {

std::size_t tensor_of(const DefinitionGraph& graph, const std::string& name) {
  const auto found = std::ranges::find(graph.tensors, name, &DefinedTensor::name);
  REQUIRE(found != graph.tensors.end());
  return static_cast<std::size_t>(found - graph.tensors.begin());
}

Floats waves(std::int64_t count) {
  Floats values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i * 37 % 101) / 50.0F - 1.0F);
  return values;
}

/// y = x w, of m x k and k x n.
OnnxModel product(std::int64_t m, std::int64_t k, std::int64_t n) {
  OnnxModel model;
  model.input("x", {m, k});
  model.floats("w", {k, n}, waves(k * n));
  model.node("MatMul", {"x", "w"}, {"y"});
  return model.output("y");
}

/// i, numbers from -60 to 60.
void choose_rows(OnnxModel& model, std::int64_t count) {
  model.input("x", {count}).floats("most", {}, {60});
  model.node("Mul", {"x", "most"}, {"number"});
  model.node("Cast", {"number"}, {"i"},
             {testing::attribute("to", static_cast<int>(::onnx::TensorProto::INT64))});
}

DefinitionGraph quantized(const OnnxModel& model, WeightPrecision precision = WeightPrecision::Int8) {
  return after<quantize_weights>(PlannedModel(model, /*for_cpu=*/true).graph, precision);
}

/// True if the weights are stored as pairs of four bits.
bool is_packed(const DefinitionGraph& graph, const std::string& weights) {
  return graph.tensors[tensor_of(graph, weights)].type() == UInt(8);
}

bool is_quantized(const DefinitionGraph& graph, const std::string& weights) {
  return graph.tensors[tensor_of(graph, weights)].stored_as == Int(8);
}

/// Every output with integers and without, which differ by so much of the largest.
void check_values(const OnnxModel& model, WeightPrecision precision = WeightPrecision::Int8,
                  double most = 0.02) {
  const DefinitionGraph before = PlannedModel(model, /*for_cpu=*/true).graph;
  const auto expected = testing::values_of(before);
  const auto found = testing::values_of(after<quantize_weights>(before, precision));
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    REQUIRE(found[i].size() == expected[i].size());
    double difference = 0, largest = 0;
    for (std::size_t j = 0; j < found[i].size(); ++j) {
      difference = std::max(difference, std::abs(found[i][j] - expected[i][j]));
      largest = std::max(largest, std::abs(expected[i][j]));
    }
    CHECK(largest > 0);
    CHECK(difference > 0);
    CHECK(difference <= most * largest);
  }
}

}  // namespace

TEST_CASE("int8 weights: each column of a matrix has its scale, and its largest element is 127 of them") {
  const OnnxModel model = product(3, 64, 80);
  const DefinitionGraph graph = quantized(model);
  REQUIRE(is_quantized(graph, "w"));
  const Buffer& w = *graph.tensors[tensor_of(graph, "w")].constant;
  const Buffer& scale = *graph.tensors[tensor_of(graph, "w_scale")].constant;
  CHECK(scale.shape() == Ints{80});
  const Floats values = waves(64 * 80);
  for (std::int64_t n = 0; n < 80; ++n) {
    double largest = 0;
    for (std::int64_t k = 0; k < 64; ++k) {
      const double q = w.get(k * 80 + n);
      largest = std::max(largest, std::abs(q));
      CHECK(q == std::round(q));
      CHECK(std::abs(q * scale.get(n) - values[static_cast<std::size_t>(k * 80 + n)]) <=
            0.5001 * scale.get(n));
    }
    CHECK(largest == 127);
  }
  check_values(model);
}

TEST_CASE("int8 weights: convolutions have a scale for each channel, those of groups and of 1x1 too") {
  const SmallConvolution convolution{.inputs = 16, .outputs = 64, .rows = 9, .columns = 7};
  OnnxModel model;
  model.input("x", convolution.input_shape());
  convolution.append(model, "x", "y", "w");
  model.output("y");
  const DefinitionGraph graph = quantized(model);
  REQUIRE(is_quantized(graph, "w"));
  CHECK(graph.tensors[tensor_of(graph, "w_scale")].constant->shape() == Ints{64});
  check_values(model);
}

TEST_CASE(
    "int8 weights: small constants, short sums, infinite numbers, and what others read too stay as they "
    "are") {
  CHECK_FALSE(is_quantized(quantized(product(3, 16, 16)), "w"));
  CHECK_FALSE(is_quantized(quantized(product(3, 8, 1024)), "w"));
  OnnxModel infinite;
  infinite.input("x", {2, 64});
  Floats values = waves(64 * 80);
  values[7] = INFINITY;
  infinite.floats("w", {64, 80}, values);
  infinite.node("MatMul", {"x", "w"}, {"y"});
  CHECK_FALSE(is_quantized(quantized(infinite.output("y")), "w"));
  OnnxModel shared = product(3, 64, 80);
  shared.node("Relu", {"w"}, {"r"}).output("r");
  CHECK_FALSE(is_quantized(quantized(shared), "w"));
  OnnxModel given = product(3, 64, 80);
  given.output("w");
  CHECK_FALSE(is_quantized(quantized(given), "w"));
}

TEST_CASE("int8 weights: products that share weights share the integers and the scales") {
  OnnxModel model = product(3, 64, 80);
  model.input("z", {2, 64});
  model.node("MatMul", {"z", "w"}, {"v"}).output("v");
  const DefinitionGraph graph = quantized(model);
  REQUIRE(is_quantized(graph, "w"));
  CHECK(std::ranges::count(graph.tensors, "w_scale", &DefinedTensor::name) == 1);
  check_values(model);
}

TEST_CASE("int8 weights: a table has a scale for each row that data choose, also beside a product with it") {
  OnnxModel table;
  choose_rows(table, 5);
  table.floats("w", {80, 64}, waves(80 * 64));
  table.node("Gather", {"w", "i"}, {"g"}).node("Neg", {"g"}, {"y"}).output("y");
  const DefinitionGraph graph = quantized(table);
  REQUIRE(is_quantized(graph, "w"));
  CHECK(graph.tensors[tensor_of(graph, "w_scale")].constant->shape() == Ints{80});
  check_values(table);

  OnnxModel tied;
  choose_rows(tied, 3);
  tied.floats("w", {80, 64}, waves(80 * 64));
  tied.node("Gather", {"w", "i"}, {"g"});
  tied.node("Transpose", {"g"}, {"t"}).node("MatMul", {"w", "t"}, {"y"}).output("y");
  REQUIRE(is_quantized(quantized(tied), "w"));
  check_values(tied);

  // Columns that data choose have scales of their own; a product sums up along them.
  OnnxModel columns;
  choose_rows(columns, 3);
  columns.floats("w", {64, 80}, waves(80 * 64));
  columns.node("Gather", {"w", "i"}, {"y"}, {testing::attribute("axis", 1)}).output("y");
  CHECK(quantized(columns).tensors[tensor_of(quantized(columns), "w_scale")].constant->shape() == Ints{80});
  check_values(columns);
}

TEST_CASE("int8 weights: a row of zeros has the scale 1") {
  OnnxModel model;
  model.input("x", {2, 64});
  Floats values = waves(64 * 80);
  for (std::int64_t k = 0; k < 64; ++k) values[static_cast<std::size_t>(k * 80 + 5)] = 0;
  model.floats("w", {64, 80}, values);
  model.node("MatMul", {"x", "w"}, {"y"});
  model.output("y");
  const DefinitionGraph graph = quantized(model);
  CHECK(graph.tensors[tensor_of(graph, "w_scale")].constant->get(5) == 1);
  check_values(model);
}

TEST_CASE("int4 weights: two along the sum are a byte, and 32 have a scale, which is one of f16") {
  const OnnxModel model = product(3, 100, 80);
  const DefinitionGraph graph = quantized(model, WeightPrecision::Int4);
  REQUIRE(is_packed(graph, "w"));
  CHECK(graph.tensors[tensor_of(graph, "w")].constant->shape() == Ints{50, 80});
  const DefinedTensor& scale = graph.tensors[tensor_of(graph, "w_scale")];
  CHECK(scale.constant->shape() == Ints{4, 80});
  CHECK(scale.stored_as == Float(16));
  check_values(model, WeightPrecision::Int4, 0.1);
}

TEST_CASE("int4 weights: of convolutions each place of the window has scales of its own, along the inputs") {
  const SmallConvolution convolution{.inputs = 17, .outputs = 64, .rows = 9, .columns = 7};
  OnnxModel model;
  model.input("x", convolution.input_shape());
  convolution.append(model, "x", "y", "w");
  model.output("y");
  const DefinitionGraph graph = quantized(model, WeightPrecision::Int4);
  REQUIRE(is_packed(graph, "w"));
  CHECK(graph.tensors[tensor_of(graph, "w")].constant->shape() == Ints{64, 9, 3, 3});
  CHECK(graph.tensors[tensor_of(graph, "w_scale")].constant->shape() == Ints{64, 1, 3, 3});
  check_values(model, WeightPrecision::Int4, 0.1);
}

TEST_CASE("int4 weights: products that share weights share the bytes; with a table, they are bytes each") {
  OnnxModel model = product(3, 64, 80);
  model.input("z", {2, 64});
  model.node("MatMul", {"z", "w"}, {"v"}).output("v");
  REQUIRE(is_packed(quantized(model, WeightPrecision::Int4), "w"));
  check_values(model, WeightPrecision::Int4, 0.1);

  OnnxModel tied;
  choose_rows(tied, 3);
  tied.floats("w", {80, 64}, waves(80 * 64));
  tied.node("Gather", {"w", "i"}, {"g"});
  tied.node("Transpose", {"g"}, {"t"}).node("MatMul", {"w", "t"}, {"y"}).output("y");
  const DefinitionGraph graph = quantized(tied, WeightPrecision::Int4);
  CHECK_FALSE(is_packed(graph, "w"));
  CHECK(is_quantized(graph, "w"));
}

TEST_CASE("int4 weights: short sums, and weights with a scale that is no f16, are bytes each") {
  const SmallConvolution convolution{.inputs = 8, .outputs = 64, .rows = 9, .columns = 7};
  OnnxModel model;
  model.input("x", convolution.input_shape());
  convolution.append(model, "x", "y", "w");
  const DefinitionGraph graph = quantized(model.output("y"), WeightPrecision::Int4);
  CHECK_FALSE(is_packed(graph, "w"));
  CHECK(is_quantized(graph, "w"));
  OnnxModel large;
  large.input("x", {2, 64});
  Floats values = waves(64 * 80);
  values[7] = 1e6F;
  large.floats("w", {64, 80}, values).node("MatMul", {"x", "w"}, {"y"});
  CHECK_FALSE(is_packed(quantized(large.output("y"), WeightPrecision::Int4), "w"));
  OnnxModel tiny;
  values = waves(64 * 80);
  for (float& value : values) value *= 1e-6F;
  tiny.input("x", {2, 64}).floats("w", {64, 80}, values).node("MatMul", {"x", "w"}, {"y"});
  CHECK_FALSE(is_packed(quantized(tiny.output("y"), WeightPrecision::Int4), "w"));
}

TEST_CASE("int4 weights: of a batch of products each has its own, and tuples are no sums of products") {
  OnnxModel batch;
  batch.input("x", {2, 1, 5, 64}).floats("w", {4, 64, 33}, waves(4 * 64 * 33));
  batch.node("MatMul", {"x", "w"}, {"y"}).output("y");
  REQUIRE(is_packed(quantized(batch, WeightPrecision::Int4), "w"));
  check_values(batch, WeightPrecision::Int4, 0.15);

  OnnxModel attention;  // of so many keys that its softmax runs along with the sums
  attention.input("q", {1, 4, 32}).input("k", {1, 32, 3000}).input("v", {1, 3000, 8});
  attention.floats("w", {8, 512}, waves(8 * 512));
  attention.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"p"}).node("MatMul", {"p", "v"}, {"a"});
  attention.node("MatMul", {"a", "w"}, {"y"}).output("y");
  for (const WeightPrecision precision : {WeightPrecision::Int8, WeightPrecision::Int4})
    CHECK_NOTHROW(quantized(attention, precision));
}

TEST_CASE("int8 weights: a table of words beside a small table, or another large one, has its scales") {
  for (const std::int64_t others : {2, 90}) {
    CAPTURE(others);
    OnnxModel model;
    choose_rows(model, 5);
    model.floats("w", {80, 64}, waves(80 * 64)).floats("v", {others, 64}, waves(others * 64));
    model.ints("last", {}, {others - 1});
    model.node("Gather", {"w", "i"}, {"g"}).node("Abs", {"i"}, {"j"});
    model.node("Min", {"j", "last"}, {"k"}).node("Gather", {"v", "k"}, {"h"});
    model.node("Add", {"g", "h"}, {"y"}).output("y");
    const DefinitionGraph graph = quantized(model);
    REQUIRE(is_quantized(graph, "w"));
    CHECK(is_quantized(graph, "v") == (others > 2));
    check_values(model);
  }
}
