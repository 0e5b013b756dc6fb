// Tests which Funcs become one pipeline.
#include "graph/fuse/fuse.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "graph/schedule/define_group.h"
#include "support/after_pass.h"
#include "support/definitions.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::groups_after;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;
using testing::text;

namespace {

/// "Conv+Relu -> y", a line for each group.
std::string groups(const OnnxModel& model) {
  const DefinitionGraph graph = definitions_of(model);
  std::string all;
  for (const FusedGroup& group : groups_after<fuse>(graph))
    all += fmt::format("{} -> {}\n", group.label, graph.tensors[group.stored_tensors.at(0)].name);
  return all;
}

OnnxModel convolution(const char* output = "c") {
  OnnxModel model;
  model.input("x", {1, 2, 4, 4}).floats("w", {2, 2, 3, 3}, std::vector<float>(36, 1.0F));
  model.node("Conv", {"x", "w"}, {output}, {attribute("pads", Ints{1, 1, 1, 1})});
  return model;
}

}  // namespace

TEST_CASE("fuse: what is applied to each element goes with the convolution, its padding before it") {
  OnnxModel model = convolution();
  model.node("Relu", {"c"}, {"r"}).node("Add", {"r", "x"}, {"y"}).output("y");
  const DefinitionGraph graph = definitions_of(model);
  const auto all = groups_after<fuse>(graph);
  REQUIRE(all.size() == 1);
  CHECK(
      text(all[0]) ==
      "prologue conv_2_padded(b0, b1, b2, b3) = select(0 <= b2 && b2 < 4 && (0 <= b3 && b3 < 4), t0(b0, b1, "
      "min(max(b2, 0), 4 - 1), min(max(b3, 0), 4 - 1)):f32, f32(0))\n"
      "anchor conv_2_sum(n, c, h, w) over r_0:3 r_1:3 r_2:2 = conv_2_sum(n, c, h, w):f32 + "
      "conv_2_padded(n, r_2, h + r_0 - 1, w + r_1 - 1):f32*t1(c, r_2, r_0, r_1):f32\n"
      "epilogue conv_2(n, c, h, w) = conv_2_sum(n, c, h, w):f32\n"
      "epilogue relu_3(d0, d1, d2, d3) = select(conv_2(d0, d1, d2, d3):f32 < 0.0, 0.0, "
      "conv_2(d0, d1, d2, d3):f32)\n"
      "epilogue add_4(d0, d1, d2, d3) = relu_3(d0, d1, d2, d3):f32 + t0(d0, d1, d2, d3):f32\n");
}

TEST_CASE("fuse: what several read, and what is an output, is stored") {
  OnnxModel model = convolution();
  model.node("Relu", {"c"}, {"y"}).node("Neg", {"c"}, {"z"}).output("y").output("z");
  CHECK(groups(model) == "Conv -> c\nRelu -> y\nNeg -> z\n");
  OnnxModel kept = convolution();
  kept.node("Relu", {"c"}, {"y"}).output("c").output("y");
  CHECK(groups(kept) == "Conv -> c\nRelu -> y\n");
}

TEST_CASE("fuse: an operand of both sides is read once as it is made") {
  OnnxModel model = convolution();
  model.node("Mul", {"c", "c"}, {"y"}).output("y");
  CHECK(groups(model) == "Conv+Mul -> y\n");
}

TEST_CASE("fuse: branches that meet again go with what they come from") {
  OnnxModel silu = convolution();
  silu.node("Sigmoid", {"c"}, {"s"}).node("Mul", {"c", "s"}, {"y"}).output("y");
  CHECK(groups(silu) == "Conv+Sigmoid+Mul -> y\n");
  // x * (1 + erf(x / sqrt 2)) / 2, as exporters write a GELU.
  OnnxModel gelu = convolution();
  gelu.floats("root", {}, {1.41421356F}).floats("one", {}, {1}).floats("half", {}, {0.5F});
  gelu.node("Div", {"c", "root"}, {"d"}).node("Erf", {"d"}, {"e"}).node("Add", {"e", "one"}, {"a"});
  gelu.node("Mul", {"c", "a"}, {"m"}).node("Mul", {"m", "half"}, {"y"}).output("y");
  CHECK(groups(gelu) == "Conv+Div+Erf+Add+Mul+Mul -> y\n");
}

TEST_CASE("fuse: branches that do not meet are groups of their own, as far as those that do") {
  OnnxModel model = convolution();
  model.node("Sigmoid", {"c"}, {"s"}).node("Mul", {"c", "s"}, {"m"});
  model.node("Neg", {"m"}, {"y"}).node("Abs", {"m"}, {"z"}).output("y").output("z");
  CHECK(groups(model) == "Conv+Sigmoid+Mul -> m\nNeg -> y\nAbs -> z\n");
  // One of them ends in a reader that waits for something else.
  OnnxModel late = convolution();
  late.node("Sigmoid", {"c"}, {"s"}).node("ReduceMean", {"c"}, {"mean"}, {attribute("axes", Ints{2, 3})});
  late.node("Mul", {"c", "s"}, {"p"}).node("Add", {"p", "mean"}, {"y"}).output("y");
  CHECK(groups(late) == "Conv -> c\nReduceMean -> mean\nSigmoid+Mul+Add -> y\n");
}

TEST_CASE("fuse: a factor that is quickly computed again goes with the product that reads it") {
  const auto scores = [](std::int64_t columns, const char* op) {
    OnnxModel model;
    model.input("q", {2, 5, 8}).input("k", {2, 8, columns}).floats("scale", {}, {0.25F});
    model.node(op, {"q", "scale"}, {"s"}).node("MatMul", {"s", "k"}, {"y"}).output("y");
    return model;
  };
  CHECK(groups(scores(7, "Mul")) == "Mul+MatMul -> y\n");
  const DefinitionGraph graph = definitions_of(scores(7, "Mul"));
  const auto all = groups_after<fuse>(graph);
  CHECK(all[0].prologue.size() == 1);
  CHECK(all[0].anchors.size() == 1);
  // With many columns the scores would be recomputed too often; a power is too expensive to recompute.
  CHECK(groups(scores(300, "Mul")) == "Mul -> s\nMatMul -> y\n");
  CHECK(groups(scores(7, "Pow")) == "Pow -> s\nMatMul -> y\n");
  OnnxModel twice = scores(7, "Mul");
  twice.node("Neg", {"s"}, {"z"}).output("z");
  CHECK(groups(twice) == "Mul -> s\nMatMul -> y\nNeg -> z\n");
  // A window reads each element several times more.
  OnnxModel window;
  window.input("x", {1, 2, 4, 4}).floats("two", {}, {2}).floats("w", {2, 2, 3, 3}, testing::Floats(36, 1));
  window.node("Mul", {"x", "two"}, {"s"}).node("Conv", {"s", "w"}, {"y"}).output("y");
  CHECK(groups(window) == "Mul -> s\nConv -> y\n");
}

TEST_CASE("fuse: what would be written out too often is cut") {
  OnnxModel model;
  model.input("x", {8});
  std::string last = "x";
  for (int i = 0; i < 12; ++i) {
    const std::string at = std::to_string(i);
    model.node("Sigmoid", {last}, {"s" + at}).node("Mul", {last, "s" + at}, {"m" + at});
    last = "m" + at;
  }
  model.output(last);
  const DefinitionGraph graph = definitions_of(model);
  const auto all = groups_after<fuse>(graph);
  CHECK(all.size() == 2);
  for (const FusedGroup& group : all) CHECK(group.tensors.size() <= 2 * 6);
}

TEST_CASE("fuse: elements that move, or are repeated, begin another group") {
  OnnxModel model = convolution();
  model.node("Transpose", {"c"}, {"t"}).node("Relu", {"t"}, {"y"}).output("y");
  CHECK(groups(model) == "Conv -> c\nTranspose+Relu -> y\n");
  OnnxModel repeated;
  repeated.input("x", {3}).input("z", {2, 3}).node("Relu", {"x"}, {"r"}).node("Add", {"z", "r"}, {"y"});
  repeated.output("y");
  CHECK(groups(repeated) == "Relu -> r\nAdd -> y\n");
}

TEST_CASE("fuse: a layout transformation leaves its reader to a sum that only that reads") {
  OnnxModel model;
  model.input("x", {4, 6}).input("w", {6, 5}).input("z", {5, 4});
  model.node("Transpose", {"z"}, {"t"}).node("MatMul", {"x", "w"}, {"p"}).node("Add", {"t", "p"}, {"y"});
  CHECK(groups(model.output("y")) == "Transpose -> t\nMatMul+Add -> y\n");
}

TEST_CASE("fuse: a sum of two convolutions goes with one of them, after the other") {
  OnnxModel model = convolution("a");
  model.node("Conv", {"x", "w"}, {"b"}, {attribute("pads", Ints{1, 1, 1, 1})});
  model.node("Add", {"a", "b"}, {"y"}).output("y");
  CHECK(groups(model) == "Conv -> b\nConv+Add -> y\n");
}

TEST_CASE("fuse: a softmax has two anchors") {
  OnnxModel model;
  model.input("x", {2, 5}).node("Softmax", {"x"}, {"y"}).output("y");
  const DefinitionGraph graph = definitions_of(model);
  const auto all = groups_after<fuse>(graph);
  REQUIRE(all.size() == 1);
  CHECK(all[0].anchors.size() == 2);
  CHECK(all[0].epilogue.size() == 1);
}

TEST_CASE("fuse: a long chain is cut, and its kernels keep short names") {
  OnnxModel model;
  model.input("x", {8});
  std::string last = "x";
  for (int i = 0; i < 70; ++i) {
    const std::string next = "t" + std::to_string(i);
    model.node("Sigmoid", {last}, {next});
    last = next;
  }
  model.output(last);
  const DefinitionGraph graph = definitions_of(model);
  const auto all = groups_after<fuse>(graph);
  REQUIRE(all.size() == 3);
  CHECK(all[0].tensors.size() == 32);
  CHECK(all[2].tensors.size() == 6);
  const auto name = [&](const FusedGroup& group) {
    return define_group(graph, TensorFuncs(graph), group, Precision::Float32).outputs[0].name();
  };
  CHECK(name(all[0]) == "sigmoid_sigmoid_sigmoid_sigmoid_sigmoid_sigmoid_and_26_more");
  CHECK(name(all[2]) == "sigmoid_sigmoid_sigmoid_sigmoid_sigmoid_sigmoid");
}
