// The clean-up passes, graph in, graph out, as text.
#include <doctest/doctest.h>

#include <cmath>

#include "onnx/rewrite/clean_up.h"
#include "onnx/rewrite/fold_batch_norm.h"
#include "onnx/rewrite/fold_constants.h"
#include "onnx/rewrite/order_nodes.h"
#include "onnx/rewrite/remove_dead_nodes.h"
#include "onnx/shapes/infer_shapes.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// The lines of the nodes.
std::string nodes(const Graph& graph) {
  const std::string text = to_string(graph);
  const std::size_t begin = text.find("\n%") + 1, end = text.find("output ");
  return begin == 0 ? "" : text.substr(begin, end - begin);
}

/// Adds two vectors of one shape; what the folding tests need of an interpreter.
std::vector<Buffer> add(const Node& node, const std::vector<const Buffer*>& inputs) {
  CHECK(node.op == "Add");
  Buffer sum = *inputs[0];
  for (std::int64_t i = 0; i < sum.elements(); ++i) sum.set(i, inputs[0]->get(i) + inputs[1]->get(i));
  return {sum};
}

/// x [1,2,3,3] -> Conv 2x2 without bias -> c
OnnxModel convolution() {
  OnnxModel model;
  model.input("x", {1, 2, 3, 3}).floats("w", {2, 2, 1, 1}, {1, 2, 3, 4}).node("Conv", {"x", "w"}, {"c"});
  model.floats("s", {2}, {2, 3}).floats("b", {2}, {10, 20}).floats("m", {2}, {5, 6}).floats("v", {2}, {4, 9});
  return model;
}

const std::vector<::onnx::AttributeProto> kNoEpsilon{attribute("epsilon", 0.0F)};

}  // namespace

TEST_CASE("order: producers come first and nodes in order stay in order") {
  OnnxModel model;
  model.input("x", {2}).node("Add", {"b", "a"}, {"y"}).node("Relu", {"x"}, {"b"}).node("Abs", {"x"}, {"a"});
  model.node("Neg", {"x"}, {"z"}).output("y").output("z");
  const Graph graph = model.import();
  CHECK(nodes(graph) ==
        "%b: f32[2] = Relu(%x)\n"
        "%a: f32[2] = Abs(%x)\n"
        "%y: f32[2] = Add(%b, %a)\n"
        "%z: f32[2] = Neg(%x)\n");
}

TEST_CASE("order: a cycle is reported with a node on it") {
  OnnxModel model;
  model.input("x", {2})
      .node("Relu", {"x"}, {"y"})
      .node("Add", {"y", "b"}, {"a"})
      .node("Neg", {"a"}, {"b"})
      .output("b");
  CHECK(model.error() == "m.onnx: node 'a' (Add) depends on its own output: the graph has a cycle");
  OnnxModel self;
  self.input("x", {2}).node("Add", {"x", "y"}, {"y"}).output("y");
  CHECK(self.error() == "m.onnx: node 'y' (Add) depends on its own output: the graph has a cycle");
}

TEST_CASE("remove dead nodes: what no output needs goes, inputs stay") {
  OnnxModel model;
  model.input("x", {2}).input("unused", {3}).floats("k", {2}, {1, 2}).node("Add", {"x", "k"}, {"dead"});
  model.node("Relu", {"dead"}, {"dead2"}).node("Neg", {"x"}, {"y"}).output("y");
  Graph graph = model.import();
  remove_dead_nodes(graph);
  CHECK(to_string(graph) ==
        "graph test (opset 17)\n"
        "input %x: f32[2]\n"
        "input %unused: f32[3]\n"
        "%y: f32[2] = Neg(%x)\n"
        "output %y: f32[2]\n");
  CHECK(graph.tensors.size() == 3);
  CHECK(graph.constants.empty());
}

TEST_CASE("fold constants: nodes over constants are evaluated, the others stay") {
  OnnxModel model;
  model.input("x", {2}).floats("a", {2}, {1, 2}).floats("b", {2}, {10, 20}).node("Add", {"a", "b"}, {"c"});
  model.node("Add", {"c", "b"}, {"d"}).node("Add", {"x", "d"}, {"y"}).output("y");
  Graph graph = model.import();
  CHECK(graph.nodes.size() == 3);
  fold_constants(graph, add);
  CHECK(nodes(graph) == "%y: f32[2] = Add(%x, d: f32[2])\n");
  CHECK(graph.constants.at("d").get(0) == 21);
  CHECK(graph.constants.at("d").get(1) == 42);
}

TEST_CASE("fold constants: an evaluator that gives the wrong shape is a bug") {
  OnnxModel model;
  model.floats("a", {2}, {1, 2}).node("Neg", {"a"}, {"y"}).output("y");
  Graph graph = model.import();
  const auto wrong = [](const Node&, const std::vector<const Buffer*>&) {
    return std::vector<Buffer>{Buffer(Float(32), {3})};
  };
  CHECK_THROWS_WITH_AS(fold_constants(graph, wrong), "node 'y' (Neg): its evaluation did not compute f32[2]",
                       InternalError);
}

TEST_CASE("fold constants: nothing small is blown up to something huge") {
  OnnxModel model;
  model.floats("a", {2}, {1, 2})
      .ints("pads", {2}, {0, 1 << 28})
      .node("Pad", {"a", "pads"}, {"y"})
      .output("y");
  Graph graph = model.import();
  const auto never = [](const Node&, const std::vector<const Buffer*>&) -> std::vector<Buffer> {
    throw InternalError("called");
  };
  fold_constants(graph, never);
  CHECK(graph.nodes.size() == 1);
}

TEST_CASE("fold batch norm: a convolution takes up the normalization after it") {
  OnnxModel model = convolution();
  model.node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"y"}, kNoEpsilon).output("y", {1, 2, 3, 3});
  Graph graph = model.import();
  fold_batch_norm(graph);
  CHECK(nodes(graph) ==
        "%y: f32[1,2,3,3] = Conv(%x, y.weights: f32[2,2,1,1], y.bias: f32[2]) "
        "{dilations=[1,1], group=1, kernel_shape=[1,1], pads=[0,0,0,0], strides=[1,1]}\n");
  // scale / sqrt(variance) is 1 for both channels; shift = bias - mean * 1.
  const auto weights = graph.constants.at("y.weights").as<float>();
  CHECK(Floats(weights.begin(), weights.end()) == Floats{1, 2, 3, 4});
  const auto bias = graph.constants.at("y.bias").as<float>();
  CHECK(Floats(bias.begin(), bias.end()) == Floats{5, 14});
}

TEST_CASE("fold batch norm: weights and bias are scaled per output channel") {
  OnnxModel model;
  model.input("x", {1, 1, 3, 3}).floats("w", {2, 1, 1, 1}, {1, 2}).floats("k", {2}, {100, 200});
  model.node("Conv", {"x", "w", "k"}, {"c"})
      .floats("s", {2}, {8, 6})
      .floats("b", {2}, {1, 2})
      .floats("m", {2}, {3, 4});
  model.floats("v", {2}, {3, 8})
      .node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"y"}, {attribute("epsilon", 1.0F)});
  Graph graph = model.output("y").import();
  fold_batch_norm(graph);
  // scale = {8 / sqrt(3 + 1), 6 / sqrt(8 + 1)} = {4, 2}; bias = k * scale + b - m * scale.
  CHECK(graph.constants.at("y.weights").get(0) == 4);
  CHECK(graph.constants.at("y.weights").get(1) == 4);
  CHECK(graph.constants.at("y.bias").get(0) == 400 + 1 - 12);
  CHECK(graph.constants.at("y.bias").get(1) == 400 + 2 - 8);
  CHECK(graph.constants.at("w").get(0) == 1);  // another convolution may share it
}

TEST_CASE("fold batch norm: a convolution that others read is left, the normalization becomes Mul and Add") {
  OnnxModel model = convolution();
  model.node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"y"}, kNoEpsilon).node("Relu", {"c"}, {"z"});
  Graph graph = model.output("y").output("z").import();
  fold_batch_norm(graph);
  CHECK(nodes(graph) ==
        "%c: f32[1,2,3,3] = Conv(%x, w: f32[2,2,1,1]) "
        "{dilations=[1,1], group=1, kernel_shape=[1,1], pads=[0,0,0,0], strides=[1,1]}\n"
        "%y.scaled: f32[1,2,3,3] = Mul(%c, y.scale: f32[2,1,1])\n"
        "%y: f32[1,2,3,3] = Add(%y.scaled, y.shift: f32[2,1,1])\n"
        "%z: f32[1,2,3,3] = Relu(%c)\n");
  CHECK(graph.constants.at("y.shift").get(1) == 14);
}

TEST_CASE("fold batch norm: two normalizations in a row both go into the convolution") {
  OnnxModel model = convolution();
  model.node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"d"}, kNoEpsilon);
  model.node("BatchNormalization", {"d", "s", "b", "m", "v"}, {"y"}, kNoEpsilon).output("y");
  Graph graph = model.import();
  clean_up(graph, nullptr);
  CHECK(graph.nodes.size() == 1);
  CHECK(graph.constants.at("y.bias").get(0) == 10);  // 5 + 5
}

TEST_CASE("fold batch norm: an Identity or Dropout in between does not part them") {
  OnnxModel model = convolution();
  model.node("Identity", {"c"}, {"i"}).node("Dropout", {"i"}, {"d"});
  model.node("BatchNormalization", {"d", "s", "b", "m", "v"}, {"y"}, kNoEpsilon);
  Graph graph = model.output("y").import();
  fold_batch_norm(graph);
  REQUIRE(graph.nodes.size() == 1);
  CHECK(graph.nodes[0].outputs[0] == "y");
  CHECK(graph.tensors.count("c") + graph.tensors.count("i") + graph.tensors.count("d") == 0);
}

TEST_CASE("fold batch norm: an Identity whose input others read, or is an output, stays") {
  OnnxModel model = convolution();
  model.node("Identity", {"c"}, {"i"});
  model.node("BatchNormalization", {"i", "s", "b", "m", "v"}, {"y"}, kNoEpsilon);
  Graph graph = model.output("y").output("c").import();
  fold_batch_norm(graph);
  CHECK(graph.nodes.size() == 4);  // Conv, Identity, Mul, Add
}

TEST_CASE("fold batch norm: one whose statistics are computed stays") {
  OnnxModel model = convolution();
  model.input("mean", {2}).node("BatchNormalization", {"c", "s", "b", "mean", "v"}, {"y"}).output("y");
  Graph graph = model.import();
  fold_batch_norm(graph);
  REQUIRE(graph.nodes.size() == 2);
  CHECK(graph.nodes[1].op == "BatchNormalization");
}

TEST_CASE("clean up: a second run and a second shape inference change nothing") {
  OnnxModel model = convolution();
  model.node("Identity", {"s"}, {"s2"})
      .node("BatchNormalization", {"c", "s2", "b", "m", "v"}, {"n"})
      .node("Identity", {"n"}, {"i"});
  model.node("BatchNormalization", {"i", "s", "b", "m", "v"}, {"n2"})
      .node("Relu", {"n"}, {"r"})
      .node("Add", {"r", "n2"}, {"a"});
  model.node("Flatten", {"a"}, {"f"}).node("Identity", {"f"}, {"y"}).output("y", {1, 18});
  Graph graph = model.import();
  clean_up(graph, add);
  const std::string once = to_string(graph);
  CHECK(graph.nodes.size() == 8);  // Conv, Identity, Mul, Add, Relu, Add, Flatten, Identity
  clean_up(graph, add);
  CHECK(to_string(graph) == once);
  infer_shapes(graph);
  order_nodes(graph);
  CHECK(to_string(graph) == once);
}

TEST_CASE("fresh_name: a name that is taken gets a number") {
  Graph graph;
  graph.add_constant("a", Buffer(Float(32), {}));
  graph.add_constant("a.2", Buffer(Float(32), {}));
  CHECK(fresh_name(graph, "b") == "b");
  CHECK(fresh_name(graph, "a") == "a.3");
}
