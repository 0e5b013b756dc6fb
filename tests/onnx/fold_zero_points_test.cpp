// Zero points of quantized products, as the definitions of a graph have them.
#include <doctest/doctest.h>

#include <algorithm>

#include "onnx/define_graph.h"
#include "support/definitions.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using testing::Ints;
using testing::OnnxModel;

namespace {

constexpr int kI8 = ::onnx::TensorProto::INT8, kU8 = ::onnx::TensorProto::UINT8;

/// y = MatMulInteger(a [2,3], b [3,2], a_zero, b_zero)
DefinitionGraph integer_product(const Ints& b, int type, const Ints& a_zero, const Ints& b_zero) {
  OnnxModel model;
  model.input("a", {2, 3}, kU8).small_ints("b", {3, 2}, b, type);
  model.small_ints("az", {}, a_zero, kU8);
  model.small_ints("bz", b_zero.size() > 1 ? Ints{2} : Ints{}, b_zero, type);
  return define_graph(model.node("MatMulInteger", {"a", "b", "az", "bz"}, {"y"}).output("y").import());
}

Ints constant(const DefinitionGraph& graph, const std::string& name) {
  const auto tensor = std::ranges::find(graph.tensors, name, &DefinedTensor::name);
  if (tensor == graph.tensors.end() || !tensor->constant) return {};
  Ints values;
  for (std::int64_t i = 0; i < tensor->constant->elements(); ++i)
    values.push_back(tensor->constant->get_int(i));
  return values;
}

std::string output_of(const DefinitionGraph& graph) {
  return testing::text(graph.tensors[graph.outputs[0].tensor].func);
}

}  // namespace

TEST_CASE("fold_zero_points: those of weights go into the weights, and zeros go") {
  const DefinitionGraph graph = integer_product({128, 0, 255, 130, 127, 126}, kU8, {0}, {128});
  CHECK(constant(graph, "b.less_zero") == Ints{0, -128, 127, 2, -1, -2});
  CHECK(constant(graph, "b") == Ints{128, 0, 255, 130, 127, 126});  // others may read it
  CHECK(constant(graph, "b.less_zero.sums").empty());
  const DefinitionGraph columns = integer_product({1, 2, 3, 4, 5, 6}, kI8, {0}, {1, 2});
  CHECK(constant(columns, "b.less_zero") == Ints{0, 0, 2, 2, 4, 4});
}

TEST_CASE("fold_zero_points: of the other factor's alone, the sums of the weights are one more input") {
  const DefinitionGraph graph = integer_product({1, 2, 3, 4, 5, 6}, kI8, {7}, {0});
  CHECK(constant(graph, "b.sums") == Ints{9, 12});
  CHECK(constant(graph, "b.less_zero").empty());
  CHECK(output_of(graph).find("- i32(") != std::string::npos);
}

TEST_CASE("fold_zero_points: weights that are no i8 without them keep them") {
  const DefinitionGraph graph = integer_product({0, 1, 2, 3, 4, 255}, kU8, {7}, {1});
  CHECK(constant(graph, "b.less_zero").empty());
  CHECK(constant(graph, "b.sums").empty());
}
