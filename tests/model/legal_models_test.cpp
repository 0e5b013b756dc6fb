// Tests models that ONNX allows and few are: tensors without elements, initializers with other values,
// declared shapes that are wrong, operators of very many inputs.
#include <doctest/doctest.h>

#include "support/error_text.h"
#include "support/load_model.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

using Numbers = std::vector<double>;

/// The outputs by name, of inputs x[i] = i + 1.
std::map<std::string, Buffer> outputs_of(const OnnxModel& onnx, const ModelOptions& options = {}) {
  const auto device = Device::open();
  Runner runner = load_model(onnx, options).run(*device);
  for (const auto& input : runner.program().inputs) {
    Buffer value = default_input(input);
    for (std::int64_t i = 0; i < value.elements(); ++i) value.set(i, static_cast<double>(i + 1));
    runner.write(input.name, value);
  }
  runner.run();
  std::map<std::string, Buffer> outputs;
  for (const auto& output : runner.program().outputs) outputs[output.name] = runner.read(output.name);
  return outputs;
}

Numbers numbers(const Buffer& buffer) {
  Numbers values;
  for (std::int64_t i = 0; i < buffer.elements(); ++i) values.push_back(buffer.get(i));
  return values;
}

}  // namespace

TEST_CASE("legal models: outputs and inputs without elements") {
  OnnxModel m;
  m.input("e", {0, 3}).input("x", {2, 3}).node("Relu", {"e"}, {"y"}).node("Neg", {"x"}, {"z"});
  m.node("Transpose", {"e"}, {"t"}).output("y").output("z").output("t").output("e");
  const auto y = outputs_of(m);
  CHECK(y.at("y").shape() == Shape{0, 3});
  CHECK(y.at("t").shape() == Shape{3, 0});
  CHECK(y.at("e").shape() == Shape{0, 3});
  CHECK(numbers(y.at("z")) == Numbers{-1, -2, -3, -4, -5, -6});
}

TEST_CASE("legal models: a concatenation with parts without elements") {
  OnnxModel m;
  m.input("x", {2, 2}).input("e", {2, 0}).floats("k", {2, 0}, {}).node("Relu", {"e"}, {"r"});
  m.node("Concat", {"e", "x", "k", "r", "x"}, {"y"}, {attribute("axis", 1)}).output("y");
  m.node("Concat", {"e", "k"}, {"none"}, {attribute("axis", -1)}).output("none");
  const auto y = outputs_of(m);
  CHECK(numbers(y.at("y")) == Numbers{1, 2, 1, 2, 3, 4, 3, 4});
  CHECK(y.at("none").shape() == Shape{2, 0});
  OnnxModel wrong;
  wrong.input("x", {2, 2}).input("e", {0, 3}).node("Concat", {"e", "x"}, {"y"}, {attribute("axis", 0)});
  CHECK(wrong.output("y").error() ==
        "m.onnx: node 'y' (Concat): inputs 0 and 1 are [0,3] and [2,2]; they may differ only in dimension 0");
}

TEST_CASE("legal models: products over nothing are zero") {
  OnnxModel m;
  m.input("a", {2, 0}).input("b", {0, 3}).input("c", {3}).node("MatMul", {"a", "b"}, {"p"});
  m.node("Add", {"p", "c"}, {"y"}).node("Gemm", {"a", "b", "c"}, {"z"}).output("p").output("y").output("z");
  const auto y = outputs_of(m);
  CHECK(numbers(y.at("p")) == Numbers(6, 0));
  CHECK(numbers(y.at("y")) == Numbers{1, 2, 3, 1, 2, 3});
  CHECK(numbers(y.at("z")) == Numbers{1, 2, 3, 1, 2, 3});
}

TEST_CASE("legal models: padding makes something of nothing, and nothing of something") {
  OnnxModel m;
  m.input("e", {0, 2}).ints("p", {4}, {1, 0, 1, 0}).floats("v", {}, {7});
  m.node("Pad", {"e", "p", "v"}, {"y"}).output("y");
  m.input("x", {2, 2}).ints("q", {4}, {0, 0, -2, 0}).node("Pad", {"x", "q"}, {"z"}).output("z");
  const auto y = outputs_of(m);
  CHECK(numbers(y.at("y")) == Numbers(4, 7));
  CHECK(y.at("z").shape() == Shape{0, 2});
}

TEST_CASE("legal models: a reshape of nothing, whose -1 could be anything, is refused") {
  OnnxModel m;
  m.input("e", {0, 3}).ints("s", {2}, {0, -1}).node("Reshape", {"e", "s"}, {"y"}).output("y");
  CHECK(m.error() == "m.onnx: node 'y' (Reshape): [0,3] cannot be reshaped to [0,-1]");
  OnnxModel known;
  known.input("e", {0, 3}).ints("s", {2}, {-1, 3}).node("Reshape", {"e", "s"}, {"y"}).output("y");
  CHECK(outputs_of(known).at("y").shape() == Shape{0, 3});
}

TEST_CASE("legal models: an initializer that is an input has the value that is given") {
  OnnxModel m;
  m.input("x", {2}).input("k", {2}).floats("k", {2}, {10, 20}).floats("fixed", {2}, {100, 200});
  m.node("Add", {"x", "k"}, {"s"}).node("Add", {"s", "fixed"}, {"y"}).output("y");
  CHECK(numbers(outputs_of(m).at("y")) == Numbers{111, 222});
  Buffer k(Float(16), {2});  // every f16 is an f32
  k.set(0, 1);
  CHECK(numbers(outputs_of(m, {.initializers = {{"k", k}, {"fixed", k}, {"x", k}}}).at("y")) ==
        Numbers{102, 202});
  CHECK(load_model(m, {.initializers = {{"k", k}, {"fixed", k}}}).overridden() ==
        std::vector<std::string>{"k"});
  const auto refused = [&](const Buffer& value) {
    return error_of([&] { load_model(m, {.initializers = {{"k", value}}}); });
  };
  const std::string text = ": the initializer 'k' is f32[2]; the value given for it is ";
  CHECK(refused(Buffer(Float(16), {3})).ends_with(text + "f16[3]"));
  CHECK(refused(Buffer(Float(64), {2})).ends_with(text + "f64[2]; convert it with .astype(np.float32)"));
  CHECK(refused(Buffer(Int(64), {3})).ends_with(text + "i64[3]; convert it with .astype(np.float32)"));
  m.proto.set_ir_version(3);  // which lists every initializer
  CHECK(load_model(m, {.initializers = {{"k", k}}}).overridden().empty());
}

TEST_CASE("legal models: a shape can be given in the place of an initializer") {
  OnnxModel m;
  m.input("x", {2, 3}).input("s", {2}, ::onnx::TensorProto::INT64).ints("s", {2}, {3, 2});
  m.node("Reshape", {"x", "s"}, {"y"}).output("y");
  Buffer s(Int(64), {2});
  s.set_int(0, 6);
  s.set_int(1, 1);
  CHECK(outputs_of(m).at("y").shape() == Shape{3, 2});
  CHECK(outputs_of(m, {.initializers = {{"s", s}}}).at("y").shape() == Shape{6, 1});
}

TEST_CASE("legal models: of a declared and an inferred shape the inferred one holds, with a warning") {
  OnnxModel m;
  m.input("x", {2, 3}).node("Relu", {"x"}, {"y"}).output("y", {5, 3});
  CHECK(load_model(m).compile().warnings ==
        std::vector<std::string>{"the output 'y' is declared as f32[5,3]; it is f32[2,3]"});
  CHECK(outputs_of(m).at("y").shape() == Shape{2, 3});
}

TEST_CASE("legal models: a concatenation of 200 inputs and a sum of 40") {
  OnnxModel m;
  std::vector<std::string> names;
  Numbers expected;
  for (int i = 0; i < 200; ++i) {
    names.push_back("x" + std::to_string(i));
    m.input(names.back(), {1, 2});
    expected.insert(expected.end(), {1, 2});
  }
  m.node("Concat", names, {"y"}, {attribute("axis", 0)}).output("y");
  names.resize(40);
  m.node("Sum", names, {"s"}).node("Max", names, {"m"}).output("s").output("m");
  const auto y = outputs_of(m);
  CHECK(y.at("y").shape() == Shape{200, 2});
  CHECK(numbers(y.at("y")) == expected);
  CHECK(numbers(y.at("s")) == Numbers{40, 80});
  CHECK(numbers(y.at("m")) == Numbers{1, 2});
}

TEST_CASE("legal models: no kernel has more arguments than OpenCL promises") {
  OnnxModel m;
  std::vector<std::string> names;
  for (int i = 0; i < 1500; ++i) {
    names.push_back("x" + std::to_string(i));
    m.input(names.back(), {2});
  }
  m.node("Concat", names, {"y"}, {attribute("axis", 0)}).output("y");
  const Program program = load_model(m).compile();
  std::size_t most = 0;
  for (const KernelSource& kernel : program.kernels) most = std::max(most, kernel.arguments.size());
  CHECK(most <= 31);  // pointers of 8 bytes in 256 bytes, which an embedded device has
  CHECK(program.kernels.size() <= 6);
}
