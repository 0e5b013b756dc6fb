// Models with what simplifying takes away, on a device, against their definitions.
#include <doctest/doctest.h>

#include <cmath>

#include "support/buffers.h"
#include "support/load_model.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

Floats numbers(std::size_t count) {
  Floats values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i * 29 % 23) / 20 - 0.5F);
  return values;
}

/// x[1, 4, 9, 11] with a border of `value`, with windows over it that have borders of their own or none.
OnnxModel bordered(float value) {
  OnnxModel m;
  m.input("x", {1, 4, 9, 11}).ints("p", {8}, {0, 0, 1, 2, 0, 0, 0, 1}).floats("value", {}, {value});
  m.floats("w", {8, 4, 3, 3}, numbers(288))
      .floats("d", {4, 1, 3, 3}, numbers(36))
      .floats("b", {8}, Floats(8, 2));
  m.node("Pad", {"x", "p", "value"}, {"a"}).node("Conv", {"a", "w", "b"}, {"y0"});
  m.node("Conv", {"a", "w"}, {"y1"}, {attribute("pads", Ints{1, 1, 1, 1}), attribute("strides", Ints{2, 2})});
  m.node("Conv", {"a", "d"}, {"y2"}, {attribute("group", 4)});
  const auto window = attribute("kernel_shape", Ints{3, 3});
  m.node("MaxPool", {"a"}, {"y3"}, {window, attribute("pads", Ints{1, 1, 0, 0})});
  m.node("AveragePool", {"a"}, {"y4"}, {window, attribute("pads", Ints{1, 0, 1, 0})});
  m.node("Pad", {"a", "p", "value"}, {"c"}).node("Conv", {"c", "w"}, {"y5"});
  for (const char* output : {"y0", "y1", "y2", "y3", "y4", "y5"}) m.output(output);
  return m;
}

/// Two branches that begin alike, with equal weights under two names.
OnnxModel branches() {
  OnnxModel m;
  m.input("x", {6, 8}).floats("w", {8, 8}, numbers(64)).floats("v", {8, 8}, numbers(64));
  m.floats("half", {8}, Floats(8, 0.5F)).node("Softmax", {"x"}, {"a"}).node("Softmax", {"x"}, {"b"});
  m.node("MatMul", {"a", "w"}, {"c"}).node("MatMul", {"b", "v"}, {"d"}).node("Mul", {"c", "half"}, {"y0"});
  return m.node("Exp", {"d"}, {"y1"})
      .node("MatMul", {"b", "w"}, {"y2"})
      .output("y0")
      .output("y1")
      .output("y2");
}

void check(const Buffer& found, const Buffer& expected) {
  REQUIRE(found.shape() == expected.shape());
  for (std::int64_t i = 0; i < found.elements(); ++i)
    REQUIRE(std::abs(found.get(i) - expected.get(i)) <= 1e-5 * (1 + std::abs(expected.get(i))));
}

/// Returns the number of the model's kernels, whose results it compares with the definitions.
std::size_t checked_launches(const OnnxModel& onnx) {
  const auto device = Device::open();
  const Model model = load_model(onnx);
  const ModelTensor input = model.inputs().at(0);
  std::vector<std::int64_t> shape;
  for (const Expr& extent : input.shape) shape.push_back(*ir::as_int(extent));
  const Buffer x = testing::filled(Float(32), shape,
                                   [](std::int64_t i) { return static_cast<double>(i * 37 % 101) / 50 - 1; });
  CompileTarget target;
  target.device = device->info();
  const auto program = std::make_shared<const Program>(model.compile(target));
  Runner runner(program, *device);
  runner.write_all({{input.name, x}});
  runner.run();
  const auto expected = model.interpret({{input.name, x}});
  for (const Program::Value& output : program->outputs) {
    CAPTURE(output.name);
    check(runner.read(output.name), expected.at(output.name));
  }
  return program->launches.size();
}

}  // namespace

TEST_CASE("simplified: borders are those of the windows over them, on a device too") {
  CHECK(checked_launches(bordered(0)) == 6);
  // A border of -infinity around one of 1.5 is two, of one window.
  CHECK(checked_launches(bordered(1.5F)) == 6);
}

TEST_CASE("simplified: what two branches have in common is computed once") {
  CHECK(checked_launches(branches()) == 4);
}
