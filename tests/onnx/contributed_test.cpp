// ONNX Runtime's contributed operators: the nodes that they become, and refusals.
#include <doctest/doctest.h>

#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

constexpr int kU8 = ::onnx::TensorProto::UINT8, kI32 = ::onnx::TensorProto::INT32;

/// A node of the domain com.microsoft, from inputs that `model` has.
OnnxModel contributed(OnnxModel model, const std::string& op, const Names& inputs,
                      const std::vector<::onnx::AttributeProto>& attributes = {}) {
  model.node(op, inputs, {"y"}, attributes).output("y");
  auto& nodes = *model.proto.mutable_graph()->mutable_node();
  nodes[nodes.size() - 1].set_domain("com.microsoft");
  return model;
}

std::string operators_of(const OnnxModel& model) {
  std::string names;
  for (const Node& node : model.import().nodes) names += (names.empty() ? "" : " ") + node.op;
  return names;
}

/// Scales and zero points of u8, and two inputs.
OnnxModel quantized() {
  OnnxModel model;
  model.input("a", {3, 5}, kU8).input("b", {5}, kU8).floats("s", {}, {0.5F}).floats("t", {1}, {0.25F});
  return model.small_ints("z", {}, {7}, kU8).floats("many", {2}, {1, 2});
}

OnnxModel images() {
  OnnxModel model;
  return model.input("x", {1, 2, 5, 5}).floats("w", {2, 2, 1, 1}, {1, 2, 3, 4}).input("z", {1, 2, 5, 5});
}

OnnxModel sequences() {
  OnnxModel model;
  model.input("x", {2, 3, 4}).input("k", {2, 5, 4}).input("v", {2, 5, 4}).input("w", {4, 12});
  return model.input("m", {2, 7}, kI32);
}

}  // namespace

TEST_CASE("contributed: an operator is nodes of ONNX's") {
  CHECK(operators_of(contributed(images(), "FusedConv", {"x", "w", "", "z"},
                                 {attribute("activation", "Relu")})) == "Conv Add Relu Identity");
  CHECK(operators_of(contributed(quantized(), "QLinearSigmoid", {"a", "s", "z", "t", "z"})) ==
        "DequantizeLinear Sigmoid QuantizeLinear Identity");
  // The ratios of the scales and the last zero point are constants, and computed before it runs.
  CHECK(operators_of(contributed(quantized(), "QLinearAdd", {"a", "s", "z", "b", "t", "z", "s", "z"})) ==
        "Div DequantizeLinear Div DequantizeLinear Add Cast Add QuantizeLinear Identity");
}

TEST_CASE("contributed: ONNX's operator of the same name is another one") {
  // ONNX's Attention takes queries, keys and values.
  CHECK(
      operators_of(contributed(sequences(), "Attention", {"x", "w"}, {attribute("num_heads", 2)})) ==
      "MatMul Pad Pad Pad Reshape Transpose Reshape Transpose Reshape Transpose Mul Transpose MatMul Softmax "
      "MatMul Transpose Reshape Identity Identity");
}

TEST_CASE("contributed: a function of the model, and a user's definition, come first") {
  OnnxModel model = contributed(images(), "Gelu", {"x"});
  auto* function = model.proto.add_functions();
  function->set_name("Gelu");
  function->set_domain("com.microsoft");
  function->add_opset_import()->set_version(17);
  function->add_input("a");
  function->add_output("b");
  auto* node = function->add_node();
  node->set_op_type("Neg");
  node->add_input("a");
  node->add_output("b");
  CHECK(operators_of(model) == "Neg Identity");

  ImportOptions options;
  options.operators.add("com.microsoft", "Gelu", [](const OperatorNode& of) {
    const Var a("a"), b("b"), c("c"), d("d");
    Func y("own");
    y(a, b, c, d) = -of.input(0).func(a, b, c, d);
    return std::vector<OperatorTensor>{{y, of.input(0).shape}};
  });
  const Graph graph = contributed(images(), "Gelu", {"x"}).import(options);
  REQUIRE(graph.nodes.size() == 1);
  CHECK(graph.nodes[0].definition != nullptr);
}

TEST_CASE("contributed: the extents of a mask may have names of their own") {
  OnnxModel model;
  model.input("x", {2, 3, 4}).input("w", {4, 12}).input("m", {2, 3}, kI32);
  model.name_dim(0, 1, "length").name_dim(2, 1, "total");
  const Graph graph =
      contributed(model, "Attention", {"x", "w", "", "m"}, {attribute("num_heads", 2)}).import();
  REQUIRE(graph.warnings.size() == 1);
  CHECK(graph.warnings[0].starts_with(
      "the symbolic dimension total is assumed to be length, because otherwise: "));
}

TEST_CASE("contributed: what does not fit is refused") {
  const auto at = [](const std::string& op) { return "m.onnx: node 'y' (com.microsoft." + op + "): "; };
  CHECK(contributed(quantized(), "QLinearAdd", {"a", "s", "z", "b", "t", "z"}).error() ==
        at("QLinearAdd") + "6 inputs are given; it takes 7 to 8");
  CHECK(contributed(quantized(), "QLinearAdd", {"a", "", "z", "b", "t", "z", "s"}).error() ==
        at("QLinearAdd") + "input 1 is absent");
  CHECK(contributed(quantized(), "QLinearAdd", {"a", "many", "z", "b", "t", "z", "s"}).error() ==
        at("QLinearAdd") + "input 1 is f32[2]; it must be one number");
  CHECK(contributed(images(), "QLinearSigmoid", {"x", "w", "", "w"}).error() ==
        at("QLinearSigmoid") + "input 0 is f32[1,2,5,5]; supported: i8, u8");
  CHECK(contributed(quantized(), "QLinearConcat", {"s", "z", "a", "s"}, {attribute("axis", 0)}).error() ==
        at("QLinearConcat") + "4 inputs are given; it takes 5 or more");
  CHECK(contributed(quantized(), "QLinearConcat", {"s", "z", "a", "s", "z", "b"}, {attribute("axis", 0)})
            .error() == at("QLinearConcat") + "6 inputs are given; it takes 2, and 3 for each tensor");
  CHECK(contributed(images(), "FusedConv", {"x", "w"}, {attribute("activation", "Gelu")}).error() ==
        at("FusedConv") +
            "attribute activation = \"Gelu\" is not supported; supported: Clip, Elu, HardSigmoid, LeakyRelu, "
            "Relu, Selu, Sigmoid, Softplus, Softsign, Tanh, ThresholdedRelu");
  CHECK(contributed(images(), "BiasSplitGelu", {"x", "w"}).error() ==
        at("BiasSplitGelu") + "input 0 is f32[1,2,5,5]; its last dimension must be even");
  CHECK(contributed(quantized(), "SkipSimplifiedLayerNormalization", {"s", "s", "t"}).error() ==
        at("SkipSimplifiedLayerNormalization") + "input 0 is f32[]; it must have a dimension");
  CHECK(contributed(images(), "CDist", {"x", "w"}).error() ==
        at("CDist") + "the inputs are f32[1,2,5,5] and f32[2,2,1,1]; they must be matrices");
  CHECK(contributed(images(), "Gelu", {"x"}, {attribute("approximate", "tanh")}).error() ==
        at("Gelu") + "attribute approximate = \"tanh\" is not supported; supported attributes: none");
  CHECK(contributed(sequences(), "Attention", {"x", "w"},
                    {attribute("num_heads", 2), attribute("do_rotary", 1)})
            .error() == at("Attention") + "attribute do_rotary = 1 is not supported; supported: 0");
  CHECK(contributed(sequences(), "Attention", {"x", "w"},
                    {attribute("num_heads", 2), attribute("qkv_hidden_sizes", Ints{4, 4, 8})})
            .error() == at("Attention") +
                            "there are 12 columns of weights for qkv_hidden_sizes = [4,4,8]; "
                            "supported: as many, or three equal parts");
  CHECK(contributed(sequences(), "MultiHeadAttention", {"x", "k", "v", "", "m"}, {attribute("num_heads", 2)})
            .error() == at("MultiHeadAttention") +
                            "the mask is i32[2,7]; supported: i32 [B], [2*B], [B,T] and "
                            "[B,S,T] with B = 2, S = 3 and T = 5");
  CHECK(
      contributed(sequences(), "MultiHeadAttention", {"x", "k"}, {attribute("num_heads", 2)}).error() ==
      at("MultiHeadAttention") +
          "query, key and value are f32[2,3,4], f32[2,5,4], absent; supported: three [B,S,N*H]; a query with "
          "key and value [B,N,S,H]; a query with a key [B,S,N,2,H]; a query [B,S,N,3,H]; N is 2");
  CHECK(contributed(sequences(), "Inverse", {"x"}).error() ==
        at("Inverse") + "the input is f32[2,3,4]; it must be a square matrix or a batch of such");
}
