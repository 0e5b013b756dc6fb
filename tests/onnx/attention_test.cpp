// Attention: the nodes that it is.
#include <doctest/doctest.h>

#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

OnnxModel attention(const std::vector<Ints>& shapes,
                    const std::vector<::onnx::AttributeProto>& attributes = {}, const Names& more = {}) {
  OnnxModel model(23);
  Names inputs{"q", "k", "v"};
  for (std::size_t i = 0; i < inputs.size(); ++i) model.input(inputs[i], shapes[i]);
  inputs.insert(inputs.end(), more.begin(), more.end());
  return model.node("Attention", inputs, {"y"}, attributes).output("y");
}

Names operators_of(const OnnxModel& model) {
  Names names;
  for (const Node& node : model.import().nodes) names.push_back(node.op);
  return names;
}

}  // namespace

TEST_CASE("attention: two products and a Softmax, with only what the node asks for between them") {
  const std::vector<Ints> shapes{{2, 3, 4, 8}, {2, 3, 5, 8}, {2, 3, 5, 6}};
  CHECK(operators_of(attention(shapes)) ==
        Names{"Mul", "Transpose", "MatMul", "Softmax", "MatMul", "Identity"});
  CHECK(operators_of(attention(shapes, {attribute("softcap", 2.0F)})) ==
        Names{"Mul", "Transpose", "MatMul", "Div", "Tanh", "Mul", "Softmax", "MatMul", "Identity"});
  OnnxModel masked = attention(shapes, {}, {"mask"});
  masked.input("mask", {4, 5}, ::onnx::TensorProto::BOOL);
  CHECK(operators_of(masked) ==
        Names{"Mul", "Transpose", "MatMul", "Where", "MaskedSoftmax", "MatMul", "Identity"});
}

TEST_CASE("attention: queries of heads that share keys are one matrix") {
  const std::string text = to_string(attention({{2, 6, 4, 8}, {2, 3, 5, 8}, {2, 3, 5, 6}}).import());
  CHECK(text.find("%y.scores: f32[2,3,8,5] = MatMul(%y.grouped, %y.transposed)") != std::string::npos);
  CHECK(text.find("%y.mixed: f32[2,3,8,6] = MatMul(%y.weights_grouped, %v)") != std::string::npos);
}

TEST_CASE("attention: what does not fit is refused") {
  const std::string at = "m.onnx: node 'y' (Attention): ";
  CHECK(attention({{2, 6, 4, 8}, {2, 4, 5, 8}, {2, 4, 5, 6}}).error() ==
        at + "there are 6 heads of queries and 4 of keys; supported: a multiple");
  CHECK(
      attention({{2, 3, 4, 8}, {2, 3, 5, 7}, {2, 3, 5, 6}}).error() ==
      at + "Q, K and V are f32[2,3,4,8], f32[2,3,5,7] and f32[2,3,5,6]; they must be [B,H,S,D] or [B,S,H*D], "
           "of equal batches, K and V of equal length, and Q and K of equal width");
  CHECK(attention({{2, 4, 24}, {2, 5, 24}, {2, 5, 24}}).error() ==
        at + "there are 0 heads of queries and 0 of keys; supported: a multiple");
  CHECK(attention({{2, 3, 4, 8}, {2, 3, 5, 8}, {2, 3, 5, 6}}, {attribute("qk_matmul_output_mode", 4)})
            .error() == at + "attribute qk_matmul_output_mode = 4 is not supported; supported: 0 to 3");
  CHECK(attention({{2, 3, 4, 8}, {2, 3, 5, 8}, {2, 3, 5, 6}}, {}, {"", "q"}).error() ==
        at + "one of past_key and past_value is absent; supported: both or none");
}
