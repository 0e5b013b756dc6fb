// Operators of signals as files have them: operands that become attributes, windows that fold.
#include <doctest/doctest.h>

#include "onnx/evaluate_node.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::testing;

namespace {

OnnxModel dft(std::int64_t opset, const Names& inputs) {
  OnnxModel model(opset);
  model.input("x", {2, 6, 8, 1}).ints("length", {}, {4}).ints("axis", {}, {1});
  model.node("DFT", inputs, {"y"}).output("y");
  return model;
}

std::string node_of(const OnnxModel& model) {
  const Graph graph = model.import();
  return to_string(graph, graph.nodes.at(0));
}

}  // namespace

TEST_CASE("DFT: the axis is an attribute, and an operand from opset 20 on") {
  CHECK(node_of(dft(17, {"x", "length"})) ==
        "%y: f32[2,4,8,2] = DFT(%x) {axis=1, dft_length=[4], inverse=0, onesided=0}");
  CHECK(node_of(dft(20, {"x"})) ==
        "%y: f32[2,6,8,2] = DFT(%x) {axis=2, dft_length=[8], inverse=0, onesided=0}");
  CHECK(node_of(dft(20, {"x", "length", "axis"})) ==
        "%y: f32[2,4,8,2] = DFT(%x) {axis=1, dft_length=[4], inverse=0, onesided=0}");
  CHECK(dft(17, {"x", "length", "axis"}).error() ==
        "m.onnx: node 'y' (DFT): 3 inputs are given; it takes 1 to 2");
}

TEST_CASE("window functions: those of constant sizes are constants") {
  OnnxModel model;
  model.input("x", {1, 16, 1}).ints("size", {}, {8}).ints("step", {}, {4});
  model.node("HannWindow", {"size"}, {"w"}).node("STFT", {"x", "step", "w"}, {"y"}).output("y");
  ImportOptions options;
  options.evaluate = evaluate_node;
  const Graph graph = model.import(options);
  REQUIRE(graph.nodes.size() == 1);
  CHECK(to_string(graph, graph.nodes[0]) ==
        "%y: f32[1,3,5,2] = STFT(%x, w: f32[8]) {frame_length=[8], frame_step=[4], onesided=1}");
  CHECK(graph.constants.at("w").get(4) == 1);
}

TEST_CASE("STFT: a real signal may lack the dimension of 1, as ONNX Runtime takes it") {
  const auto nodes = [](const Ints& shape) {
    OnnxModel model;
    model.input("x", shape).ints("step", {}, {4}).floats("w", {8}, Floats(8, 1));
    return model.node("STFT", {"x", "step", "w"}, {"y"}).output("y").import();
  };
  const Graph flat = nodes({2, 16}), whole = nodes({2, 16, 1});
  CHECK(flat.info("y").shape == whole.info("y").shape);
  REQUIRE(flat.nodes.size() == whole.nodes.size() + 1);
  CHECK(to_string(flat, flat.nodes[0]).starts_with("%y.signal: f32[2,16,1] = Reshape(%x)"));
  CHECK(flat.nodes[1].op == whole.nodes[0].op);
  CHECK(flat.nodes[1].input(0) == "y.signal");
}

TEST_CASE("MelWeightMatrix: numbers that make no matrix are refused") {
  const auto error = [](std::int64_t mel_bins, std::int64_t rate, float lower) {
    OnnxModel model;
    model.ints("n", {}, {mel_bins}).ints("length", {}, {16}).ints("rate", {}, {rate});
    model.floats("lower", {}, {lower}).floats("upper", {}, {8000});
    model.node("MelWeightMatrix", {"n", "length", "rate", "lower", "upper"}, {"y"}).output("y");
    return model.error();
  };
  CHECK(error(4, 8000, 0) == "no error");
  CHECK(
      error(0, 8000, 0) ==
      "m.onnx: node 'y' (MelWeightMatrix): num_mel_bins = 0, dft_length = 16 and sample_rate = 8000 are not "
      "supported; supported: 1 to 1048576 bins and samples, a rate of 1 or more");
  CHECK(error(4, 8000, -800) ==
        "m.onnx: node 'y' (MelWeightMatrix): the edges -800 and 8000 are not valid frequencies");
}
