// RNN, GRU and LSTM: the nodes of their steps.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

/// Three inputs, two values in a state, and one sequence.
OnnxModel recurrent(const std::string& op, std::int64_t steps, int gates, const Names& inputs,
                    std::vector<::onnx::AttributeProto> attributes = {}) {
  OnnxModel model;
  model.input("x", {steps, 1, 3})
      .floats("w", {1, gates * 2, 3}, Floats(static_cast<std::size_t>(gates) * 6, 1.0F))
      .floats("r", {1, gates * 2, 2}, Floats(static_cast<std::size_t>(gates) * 4, 1.0F))
      .floats("b", {1, gates * 4}, Floats(static_cast<std::size_t>(gates) * 4, 1.0F));
  attributes.push_back(attribute("hidden_size", 2));
  return model.node(op, inputs, {"y"}, attributes).output("y");
}

std::vector<std::string> operators_of(const OnnxModel& model) {
  std::vector<std::string> names;
  for (const Node& node : model.import().nodes) names.push_back(node.op);
  return names;
}

}  // namespace

TEST_CASE("recurrent: one product for all steps, then a product and a step each") {
  CHECK(operators_of(recurrent("RNN", 2, 1, {"x", "w", "r"})) == Names{"Transpose", "MatMul", "Transpose",
                                                                       "RNN", "MatMul", "RNN", "Concat",
                                                                       "Reshape", "Reshape", "Identity"});
  CHECK(operators_of(recurrent("LSTM", 1, 4, {"x", "w", "r"})) ==
        Names{"Transpose", "MatMul", "Transpose", "LSTM", "Reshape", "Reshape", "Reshape", "Identity"});
  const Graph graph = recurrent("RNN", 2, 1, {"x", "w", "r"}).import();
  CHECK(to_string(graph).find("%y.h.2: f32[1,2] = RNN(%y.projected, y.step.2: i32[2], %y.product, %y.h, -) "
                              "{activation_alpha=[0], activation_beta=[0], activations=[Tanh], first=0, "
                              "hidden_size=2}") != std::string::npos);
  CHECK(graph.constants.at("y.step.2").get_int(0) == 1);
}

TEST_CASE("recurrent: GRU multiplies twice where the reset gate comes before the product") {
  const auto gru = [](int before) {
    const Names all = operators_of(
        recurrent("GRU", 2, 3, {"x", "w", "r", "b"}, {attribute("linear_before_reset", before)}));
    return std::count(all.begin(), all.end(), "MatMul");
  };
  CHECK(gru(0) == 3);
  CHECK(gru(1) == 2);
}

TEST_CASE("recurrent: activations take their values in turn") {
  auto names = attribute("activations", ::onnx::AttributeProto::STRINGS);
  for (const char* name : {"tanh", "HardSigmoid", "LeakyRelu"}) names.add_strings(name);
  auto alphas = attribute("activation_alpha", ::onnx::AttributeProto::FLOATS);
  for (const float alpha : {0.5F, 0.25F}) alphas.add_floats(alpha);
  const Graph graph = recurrent("LSTM", 1, 4, {"x", "w", "r"}, {names, alphas}).import();
  const auto lstm = std::ranges::find(graph.nodes, "LSTM", &Node::op);
  REQUIRE(lstm != graph.nodes.end());
  CHECK(to_string(lstm->attributes) ==
        "{activation_alpha=[0,0.5,0.25], activation_beta=[0,0.5,0], "
        "activations=[Tanh,HardSigmoid,LeakyRelu], hidden_size=2, input_forget=0}");
}

TEST_CASE("recurrent: what does not fit is refused") {
  const auto error = [](const Names& inputs, const std::vector<::onnx::AttributeProto>& attributes = {},
                        std::int64_t steps = 2) {
    return recurrent("RNN", steps, 1, inputs, attributes).error();
  };
  const std::string at = "m.onnx: node 'y' (RNN): ";
  CHECK(error({"x", "w"}) == at + "2 inputs are given; it takes 3 to 6");
  CHECK(error({"x", "", "r"}) == at + "input 1 is absent");
  CHECK(error({"x", "r", "r"}) == at + "the weights are f32[1,2,2]; an input [2,1,3] needs [1,2,3]");
  CHECK(error({"x", "w", "r", "r"}) == at + "the biases are f32[1,2,2]; an input [2,1,3] needs [1,4]");
  CHECK(error({"x", "w", "r"}, {attribute("direction", "up")}) ==
        at + "attribute direction = \"up\" is not supported; supported: forward, reverse, bidirectional");
  CHECK(error({"x", "w", "r"}, {attribute("layout", 2)}) ==
        at + "attribute layout = 2 is not supported; supported: 0, 1");
  CHECK(error({"x", "w", "r"}, {attribute("input_forget", 1)}) ==
        at + "attribute input_forget = 1 is not supported; supported attributes: activation_alpha, "
             "activation_beta, activations, clip, direction, hidden_size, layout");
  auto names = attribute("activations", ::onnx::AttributeProto::STRINGS);
  names.add_strings("Swish");
  CHECK(
      error({"x", "w", "r"}, {names}) ==
      at + "the activation \"Swish\" is not supported; supported: Affine, Elu, HardSigmoid, LeakyRelu, Relu, "
           "ScaledTanh, Sigmoid, Softplus, Softsign, Tanh, ThresholdedRelu");
  names.add_strings("Tanh");
  CHECK(error({"x", "w", "r"}, {names}) == at + "2 activations are given; 1 are needed");
}

TEST_CASE("recurrent: an open or a large number of steps is one node") {
  const Names of_all{"Transpose", "MatMul",  "Transpose", "RNNStates",
                     "Slice",     "Reshape", "Slice",     "Identity"};
  OnnxModel open = recurrent("RNN", 2, 1, {"x", "w", "r"});
  open.name_dim(0, 0, "time");
  CHECK(operators_of(open) == of_all);
  CHECK(to_string(open.import()).find("%y.states: f32[time + 1,1,2] = RNNStates(%y.projected, ") !=
        std::string::npos);
  CHECK(operators_of(recurrent("RNN", 65, 1, {"x", "w", "r"})) == of_all);
  CHECK(std::ranges::count(operators_of(recurrent("RNN", 64, 1, {"x", "w", "r"})), "RNN") == 64);
  CHECK(std::ranges::count(operators_of(recurrent("GRU", 65, 3, {"x", "w", "r"})), "GRUStates") == 1);
  CHECK(std::ranges::count(operators_of(recurrent("LSTM", 5000, 4, {"x", "w", "r"})), "LSTMStates") == 1);
}

TEST_CASE("recurrent: quantized steps are unrolled") {
  const auto quantized = [](std::int64_t steps) {
    OnnxModel model;
    model.input("x", {steps, 1, 3}).floats("scale", {1}, {0.5F});
    model.small_ints("w", {1, 3, 8}, Ints(24, 1), ::onnx::TensorProto::INT8);
    model.small_ints("r", {1, 2, 8}, Ints(16, 1), ::onnx::TensorProto::INT8);
    model.small_ints("zero", {1}, {0}, ::onnx::TensorProto::INT8);
    model.node("DynamicQuantizeLSTM", {"x", "w", "r", "", "", "", "", "", "scale", "zero", "scale", "zero"},
               {"y"}, {attribute("hidden_size", 2)});
    model.proto.mutable_graph()->mutable_node(0)->set_domain("com.microsoft");
    model.proto.add_opset_import()->set_domain("com.microsoft");
    model.proto.mutable_opset_import(1)->set_version(1);
    return model.output("y");
  };
  const std::string at = "m.onnx: node 'y' (com.microsoft.DynamicQuantizeLSTM): ";
  CHECK(quantized(4097).error() == at + "4097 steps are not supported; supported: 1 to 4096");
  OnnxModel model = quantized(2);
  model.name_dim(0, 0, "time");
  CHECK(model.error() ==
        at + "the number of steps is time, and must be known; fix its dimensions, as in --dim time=1");
  ImportOptions options;
  options.inputs = {{"x", Buffer(Float(32), {3, 1, 3})}};
  const Graph graph = model.import(options);
  CHECK(graph.info("x").shape == Shape{3, 1, 3});
  REQUIRE(graph.warnings.size() == 1);
  CHECK(
      graph.warnings[0].starts_with("the model is loaded only for time = 3, the sizes of the inputs: node "));
}
