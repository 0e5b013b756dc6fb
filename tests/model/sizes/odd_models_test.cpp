// Models with outputs, shapes and sizes that are easily forgotten, on a device.
#include <doctest/doctest.h>

#include "ir/nodes/size_conversion.h"
#include "support/buffers.h"
#include "support/load_model.h"
#include "support/onnx_model.h"
#include "support/tier.h"
#include "tensordsl/model.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;
using testing::values_of;

namespace {

/// x[i] = i + 1
Buffer counted(const Program::Value& input) {
  Buffer value = default_input(input);
  for (std::int64_t i = 0; i < value.elements(); ++i) value.set(i, static_cast<double>(i + 1));
  return value;
}

/// The outputs by name, of counted inputs.
std::map<std::string, Buffer> outputs_of(const OnnxModel& onnx, Precision precision = Precision::Float32) {
  const auto device = Device::open();
  Runner runner = load_model(onnx).run(*device, precision);
  for (const auto& input : runner.program().inputs) runner.write(input.name, counted(input));
  runner.run();
  std::map<std::string, Buffer> outputs;
  for (const auto& output : runner.program().outputs) outputs[output.name] = runner.read(output.name);
  return outputs;
}

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("odd models: operators whose parts are called as the operator behind them") {
  OnnxModel reduced;
  reduced.input("x", {3, 5}).floats("least", {1}, {7});
  reduced.node("ReduceMax", {"x"}, {"r"}, {attribute("axes", Ints{1}), attribute("keepdims", 0)});
  reduced.node("Max", {"r", "least"}, {"y"}).output("y");
  CHECK(values_of(outputs_of(reduced).at("y")) == std::vector<double>{7, 10, 15});
  for (const char* op : {"Softmax", "LogSoftmax", "Hardmax", "GlobalMaxPool"}) {
    CAPTURE(op);
    OnnxModel onnx;
    onnx.input("x", {1, 2, 4}).floats("least", {1}, {-100});
    onnx.node(op, {"x"}, {"r"}).node("Max", {"r", "least"}, {"y"}).output("y");
    OnnxModel alone;
    alone.input("x", {1, 2, 4}).node(op, {"x"}, {"y"}).output("y");
    CHECK(values_of(outputs_of(onnx).at("y")) == values_of(outputs_of(alone).at("y")));
  }
}

TEST_CASE("odd models: transposes and reshapes of a product, for the host and for kernels") {
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"t"}, {"r"}, {"y"}, {"t", "y"}, {"r", "y"}, {"p", "t", "r", "y"}}) {
    OnnxModel m;
    m.input("x", {2, 5, 3}).input("z", {2, 3, 4}).node("MatMul", {"x", "z"}, {"p"});
    m.node("Transpose", {"p"}, {"t"}, {attribute("perm", Ints{1, 0, 2})}).ints("shape", {2}, {5, 8});
    m.node("Reshape", {"t", "shape"}, {"r"}).node("Softmax", {"r"}, {"y"});
    for (const std::string& name : names) m.output(name);
    std::map<std::string, Buffer> inputs;
    const Model model = load_model(m);
    for (const ModelTensor& input : model.inputs())
      inputs[input.name] = counted({input.name, input.type, ir::to_sizes(input.shape)});
    const auto expected = model.interpret(inputs);
    for (const auto& [name, found] : outputs_of(m)) {
      CAPTURE(name);
      REQUIRE(found.shape() == expected.at(name).shape());
      for (std::int64_t i = 0; i < found.elements(); ++i)
        CHECK(found.get(i) == doctest::Approx(expected.at(name).get(i)).epsilon(1e-5));
    }
  }
}

TEST_CASE("odd models: a sum before a product with weights, over any of its axes") {
  for (const std::int64_t axis : {0, 1, 2}) {
    for (const int keeps : {0, 1}) {
      for (const std::vector<std::int64_t>& shape :
           {std::vector<std::int64_t>{4, 7}, {5, 4, 3}, {7, 7, 7}, {1, 16, 16}}) {
        const auto rank = static_cast<std::int64_t>(shape.size());
        if (testing::is_left_to_full(rank == 3 && shape.front() != 5)) continue;
        if (axis >= rank) continue;
        std::vector<std::int64_t> left = shape;
        if (keeps) {
          left[static_cast<std::size_t>(axis)] = 1;
        } else {
          left.erase(left.begin() + axis);
        }
        const std::int64_t depth = left.back(), columns = 5;
        Floats weights;
        for (std::int64_t i = 0; i < depth * columns; ++i) weights.push_back(static_cast<float>(i % 7) - 3);
        OnnxModel m;
        m.input("x", shape).ints("axes", {1}, {axis}).floats("w", {depth, columns}, weights);
        m.node("ReduceSum", {"x", "axes"}, {"sum"}, {attribute("keepdims", keeps)});
        m.node("MatMul", {"sum", "w"}, {"y"}).output("y");
        CAPTURE(axis);
        CAPTURE(keeps);
        CAPTURE(rank);
        const Model model = load_model(m);
        std::map<std::string, Buffer> inputs;
        for (const auto& input : model.compile().inputs) inputs.emplace(input.name, counted(input));
        const Buffer expected = model.interpret(inputs).at("y"), found = outputs_of(m).at("y");
        CHECK(testing::largest_difference(found, expected) < 1e-3);
      }
    }
  }
}

TEST_CASE("odd models: outputs that are inputs, constants, each other, or a mask") {
  OnnxModel m;
  m.input("x", {2, 2}).floats("k", {2}, {5, 6}).node("Relu", {"x"}, {"r"}).node("Identity", {"r"}, {"same"});
  m.node("Identity", {"x"}, {"copy"}).node("Dropout", {"r"}, {"kept", "mask"});
  for (const char* name : {"r", "same", "copy", "k", "kept", "mask", "x"}) m.output(name);
  const auto y = outputs_of(m);
  for (const char* name : {"r", "same", "copy", "kept", "x"})
    CHECK(values_of(y.at(name)) == Numbers{1, 2, 3, 4});
  CHECK(values_of(y.at("k")) == Numbers{5, 6});
  CHECK(values_of(y.at("mask")) == Numbers{1, 1, 1, 1});
  CHECK(y.at("mask").type() == Bool());
}

TEST_CASE("odd models: scalars, one element, and tensors without kernels") {
  OnnxModel m;
  m.input("s", {}).floats("k", {}, {2.5F}).node("Mul", {"s", "k"}, {"y"}).output("y");
  const auto y = outputs_of(m);
  CHECK(y.at("y").shape().empty());
  CHECK(values_of(y.at("y")) == Numbers{2.5});
  OnnxModel none;
  none.input("x", {1, 3}).output("x");
  CHECK(values_of(outputs_of(none).at("x")) == Numbers{1, 2, 3});
}

TEST_CASE("odd models: a scalar and a tensor of one element keep their shapes") {
  OnnxModel squeeze;
  squeeze.input("x", {1}).ints("axes", {1}, {0}).node("Squeeze", {"x", "axes"}, {"y"}).output("y");
  CHECK(outputs_of(squeeze).at("y").shape().empty());
  OnnxModel reshape;
  reshape.input("x", {}).ints("shape", {1}, {1}).node("Relu", {"x"}, {"r"});
  reshape.node("Reshape", {"r", "shape"}, {"y"}).output("y").output("r");
  CHECK(outputs_of(reshape).at("y").shape() == Ints{1});
  CHECK(outputs_of(reshape).at("r").shape().empty());
}

TEST_CASE("odd models: an output that is left out before one that is read") {
  OnnxModel m;
  m.input("x", {3, 5}).node("Dropout", {"x"}, {"", "mask"}).output("mask");
  CHECK(values_of(outputs_of(m).at("mask")) == Numbers(15, 1.0));
}

TEST_CASE("odd models: concatenations of parts of every size, read by others too") {
  for (const Ints& channels : {Ints{1, 1}, Ints{3, 5, 7}, Ints{17, 1, 4}}) {
    OnnxModel m;
    std::vector<std::string> parts;
    Numbers expected;
    for (const std::int64_t c : channels) {
      const std::string x = "x" + std::to_string(parts.size()), r = "r" + std::to_string(parts.size());
      m.input(x, {1, c, 2, 3}).node("Neg", {x}, {r});
      parts.push_back(r);
      for (std::int64_t i = 1; i <= c * 6; ++i) expected.push_back(static_cast<double>(-i));
    }
    m.node("Concat", parts, {"y"}, {attribute("axis", 1)}).node("Abs", {parts[1]}, {"other"});
    m.output("y").output("other");
    for (const Precision precision : {Precision::Float32, Precision::Float16}) {
      const auto y = outputs_of(m, precision);
      CHECK(values_of(y.at("y")) == expected);
      CHECK(y.at("other").get(y.at("other").elements() - 1) == static_cast<double>(channels[1] * 6));
    }
  }
}

TEST_CASE("odd models: convolutions compute parts that no vector is aligned to") {
  OnnxModel m;
  m.input("x", {1, 8, 3, 3}).floats("w", {8, 8, 1, 1}, [] {
    std::vector<float> one(64, 0.0F);
    for (std::size_t i = 0; i < 8; ++i) one[i * 9] = 1;
    return one;
  }());
  m.floats("v", {3, 8, 1, 1}, std::vector<float>(24, 0.0F)).node("Conv", {"x", "v"}, {"zero"});
  m.node("Conv", {"x", "w"}, {"same"}).node("Concat", {"zero", "same"}, {"y"}, {attribute("axis", 1)});
  Numbers expected(27, 0.0);
  for (int i = 1; i <= 72; ++i) expected.push_back(i);
  CHECK(values_of(outputs_of(m.output("y")).at("y")) == expected);
}

TEST_CASE("odd models: nested concatenations, along different dimensions") {
  OnnxModel m;
  m.input("a", {1, 2, 1, 2}).input("b", {1, 2, 1, 2}).input("c", {1, 2, 2, 2});
  m.node("Neg", {"a"}, {"na"}).node("Abs", {"b"}, {"nb"}).node("Neg", {"c"}, {"nc"});
  m.node("Concat", {"na", "nb"}, {"ab"}, {attribute("axis", 2)});
  m.node("Concat", {"nc", "ab"}, {"y"}, {attribute("axis", 1)}).output("y");
  CHECK(values_of(outputs_of(m).at("y")) ==
        Numbers{-1, -2, -3, -4, -5, -6, -7, -8, -1, -2, 1, 2, -3, -4, 3, 4});
}

TEST_CASE("odd models: a convolution reads one part of a tensor and computes another") {
  OnnxModel m;
  m.input("x", {1, 2, 2, 2}).floats("w", {2, 2, 1, 1}, {1, 0, 0, 1}).node("Neg", {"x"}, {"n"});
  m.node("Conv", {"n", "w"}, {"c"}).node("Concat", {"n", "c"}, {"y"}, {attribute("axis", 1)}).output("y");
  CHECK(values_of(outputs_of(m).at("y")) ==
        Numbers{-1, -2, -3, -4, -5, -6, -7, -8, -1, -2, -3, -4, -5, -6, -7, -8});
}

TEST_CASE("odd models: convolutions of odd sizes with padding on one side") {
  for (const std::int64_t size : {1, 3, 5, 7, 17}) {
    OnnxModel m;
    m.input("x", {1, 1, size, 1}).floats("w", {1, 1, 3, 1}, {1, 1, 1});
    m.node("Conv", {"x", "w"}, {"y"}, {attribute("pads", Ints{0, 0, 2, 0})}).output("y");
    Numbers expected;
    for (std::int64_t i = 0; i < size; ++i) {
      double sum = 0;
      for (std::int64_t k = i; k < std::min(size, i + 3); ++k) sum += static_cast<double>(k + 1);
      expected.push_back(sum);
    }
    CHECK(values_of(outputs_of(m).at("y")) == expected);
  }
}

TEST_CASE("odd models: a chain of more nodes of several outputs than a pipeline may have Funcs") {
  OnnxModel m;
  m.input("x", {2});
  std::string last = "x";
  for (int i = 0; i < 1200; ++i) {
    const std::string n = std::to_string(i);
    m.node("Split", {last}, {"a" + n, "b" + n}, {attribute("axis", 0)});
    m.node("Concat", {"b" + n, "a" + n}, {"swapped" + n}, {attribute("axis", 0)});
    last = "y" + n;
    m.node("Neg", {"swapped" + n}, {last});
  }
  m.output(last);
  CHECK(values_of(outputs_of(m)[last]) == Numbers{1, 2});
}
