// Tests the provenance of a file's tensors, models with other outputs, and models computed on the host.
#include <doctest/doctest.h>

#include "support/buffers.h"
#include "support/load_model.h"

using namespace tensordsl;
using testing::attribute;
using testing::load_model;
using testing::OnnxModel;
using Fate = NodeOutput::Fate;

namespace {

/// -x in a, |a| in b, a + b in y.
OnnxModel three_nodes() {
  OnnxModel m;
  m.input("x", {2, 3}).node("Neg", {"x"}, {"a"}).node("Abs", {"a"}, {"b"}).node("Add", {"a", "b"}, {"y"});
  m.output("y");
  m.proto.mutable_graph()->mutable_node(1)->set_name("second");
  return m;
}

Buffer numbers() {
  return testing::filled(Float(32), {2, 3}, [](std::int64_t i) { return i - 2; });
}

}  // namespace

TEST_CASE("node outputs: names, nodes and lines in the order of execution") {
  const auto outputs = load_model(three_nodes()).node_outputs();
  REQUIRE(outputs.size() == 3);
  CHECK(outputs[0].name == "a");
  CHECK(outputs[1].name == "b");
  CHECK(outputs[1].fate == Fate::Computed);
  CHECK(outputs[1].op == "Abs");
  CHECK(outputs[1].node == "second");
  CHECK(outputs[1].text == "%b: f32[2,3] = Abs(%a)");
  CHECK(outputs[1].type == Float(32));
  CHECK(outputs[1].shape.size() == 2);
  CHECK(outputs[1].value == nullptr);
}

TEST_CASE("with_outputs: a model gives what it has computed in between") {
  const auto device = Device::open();
  const Model model = load_model(three_nodes()).with_outputs({"b", "a"});
  REQUIRE(model.outputs().size() == 2);
  CHECK(model.outputs()[0].name == "b");
  Runner runner = model.run(*device);
  runner.write("x", numbers());
  runner.run();
  CHECK(runner.read("a").get(0) == 2);
  CHECK(runner.read("b").get(5) == 3);
  CHECK_THROWS_WITH_AS(
      model.with_outputs({"c"}),
      "with_outputs: the model computes no tensor \"c\"; Model::node_outputs lists its tensors", Error);
  CHECK_THROWS_WITH_AS(model.with_outputs({"a", "a"}), "with_outputs: \"a\" is listed twice; list it once",
                       Error);
}

TEST_CASE("with_outputs: what the outputs do not need is not computed") {
  const Program program = load_model(three_nodes()).with_outputs({"a"}).compile();
  CHECK(program.launches.size() == 1);
  CHECK(program.launches[0].label == "Neg");
}

TEST_CASE("interpret: a model on the host gives every tensor, and tells how far it is") {
  const Model model = load_model(three_nodes());
  int last = 0;
  const auto values = model.interpret({{"x", numbers()}}, [&](int done, int total) {
    CHECK(done >= last);
    CHECK(done <= total);
    last = done;
  });
  REQUIRE(values.size() == 3);
  for (std::int64_t i = 0; i < 6; ++i) {
    const double a = 2 - static_cast<double>(i);
    CHECK(values.at("a").get(i) == a);
    CHECK(values.at("y").get(i) == std::max(2 * a, 0.0));
  }
}

TEST_CASE("interpret: missing and unfitting inputs, and open sizes, are refused") {
  OnnxModel onnx = three_nodes();
  const Model model = load_model(onnx);
  CHECK_THROWS_WITH_AS(model.interpret({}),
                       "interpret: no value for the input \"x\"; pass one with this name", Error);
  CHECK_THROWS_WITH_AS(model.interpret({{"x", Buffer(Int(32), {2, 3})}}),
                       "interpret: the input \"x\" is f32 [2, 3], but its value is i32 [2, 3]", ShapeError);
  onnx.name_dim(0, 0, "batch");
  CHECK_THROWS_WITH_AS(
      load_model(onnx).interpret({{"x", numbers()}}),
      "interpret: the size \"batch\" is unknown; load the model with a value for it (ModelOptions::dims)",
      Error);
}

TEST_CASE("interpret: sizes that the data say are known behind the node that computes them") {
  OnnxModel onnx;
  onnx.input("x", {3}).node("NonZero", {"x"}, {"i"}).node("Cast", {"i"}, {"f"}, {attribute("to", 1)});
  onnx.ints("row", {1}, {-1}).node("Reshape", {"f", "row"}, {"y"}).output("y");
  const Model model = load_model(onnx);
  for (const std::vector<double>& x : {std::vector<double>{5, 0, 7}, {0, 0, 0}, {1, 2, 3}}) {
    std::vector<double> expected;
    for (std::size_t i = 0; i < 3; ++i) {
      if (x[i] != 0) expected.push_back(static_cast<double>(i));
    }
    const Buffer y = model.interpret({{"x", testing::buffer_of(Float(32), {3}, x)}}).at("y");
    CHECK(y.shape() == std::vector<std::int64_t>{static_cast<std::int64_t>(expected.size())});
    CHECK(testing::values_of(y) == expected);
  }
}
