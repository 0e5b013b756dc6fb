// Models with symbolic dimensions: one Program for any size.
#include <doctest/doctest.h>

#include "support/error_text.h"
#include "support/load_model.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

/// Names the dimensions of input `number`.
void name_dims(OnnxModel& model, int number, const std::vector<std::string>& names) {
  auto* shape = model.proto.mutable_graph()
                    ->mutable_input(number)
                    ->mutable_type()
                    ->mutable_tensor_type()
                    ->mutable_shape();
  for (int d = 0; const std::string& name : names) {
    if (!name.empty()) shape->mutable_dim(d)->set_dim_param(name);
    ++d;
  }
}

/// A product, a softmax, and a reshape to a shape that is computed from the input's.
OnnxModel transformer_like() {
  OnnxModel m;
  m.input("x", {1, 1, 4}).floats("w", {4, 6}, Floats(24, 0.25F)).floats("b", {6}, {1, 2, 3, 4, 5, 6});
  m.ints("zero", {1}, {0}).ints("one", {1}, {1}).ints("tail", {2}, {2, 3});
  m.node("MatMul", {"x", "w"}, {"p"}).node("Add", {"p", "b"}, {"q"});
  m.node("Softmax", {"q"}, {"s"}, {attribute("axis", 1)});
  m.node("Shape", {"x"}, {"shape"});
  m.node("Gather", {"shape", "zero"}, {"rows"}).node("Gather", {"shape", "one"}, {"columns"});
  m.node("Concat", {"rows", "columns", "tail"}, {"wanted"}, {attribute("axis", 0)});
  m.node("Reshape", {"s", "wanted"}, {"r"});
  m.node("Transpose", {"r"}, {"y"}, {attribute("perm", Ints{0, 2, 1, 3})}).output("y");
  name_dims(m, 0, {"batch", "sequence", ""});
  return m;
}

Buffer output_of(Runner runner, const Ints& shape) {
  Buffer x(Float(32), shape);
  for (std::int64_t i = 0; i < x.elements(); ++i) x.set(i, static_cast<double>(i % 13) / 13);
  runner.write("x", x);
  runner.run();
  return runner.read();
}

}  // namespace

TEST_CASE("symbolic models: one Program gives at every size what a model of that size gives") {
  const auto device = Device::open();
  const OnnxModel onnx = transformer_like();
  const Model model = load_model(onnx);
  CHECK(model.params() == std::vector<Program::Param>{{"batch", Int(32)}, {"sequence", Int(32)}});
  CompileTarget target;
  target.device = device->info();
  const auto program = std::make_shared<const Program>(model.compile(target));
  for (const auto& [batch, sequence] : {std::pair{1, 1}, {1, 7}, {2, 5}, {3, 17}, {1, 64}}) {
    CAPTURE(batch);
    CAPTURE(sequence);
    const Ints shape{batch, sequence, 4};
    const Buffer found =
        output_of(Runner(program, *device, {{"batch", batch}, {"sequence", sequence}}), shape);
    const Model fixed = load_model(onnx, {.dims = {{"batch", batch}, {"sequence", sequence}}});
    const Buffer expected = output_of(fixed.run(*device), shape);
    REQUIRE(found.shape() == Ints{batch, 2, sequence, 3});
    REQUIRE(found.shape() == expected.shape());
    for (std::int64_t i = 0; i < found.elements(); ++i)
      REQUIRE(found.get(i) == doctest::Approx(expected.get(i)).epsilon(1e-5));
  }
}

TEST_CASE("symbolic models: images of any size are convolved and pooled") {
  const auto device = Device::open();
  OnnxModel onnx;
  onnx.input("x", {1, 2, 1, 1}).floats("w", {3, 2, 3, 3}, Floats(54, 0.125F));
  onnx.node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})});
  onnx.node("MaxPool", {"c"}, {"y"},
            {attribute("kernel_shape", Ints{2, 2}), attribute("strides", Ints{2, 2})});
  onnx.output("y");
  name_dims(onnx, 0, {"n", "", "h", "w"});
  const Model model = load_model(onnx);
  for (const auto& [n, h, w] : {std::tuple{1, 2, 2}, {2, 5, 9}, {1, 17, 4}}) {
    CAPTURE(h);
    const Ints shape{n, 2, h, w};
    const Buffer found = output_of(
        model.run(*device, Precision::Float32, {{"n_size", n}, {"h_size", h}, {"w_size", w}}), shape);
    const Buffer expected =
        output_of(load_model(onnx, {.dims = {{"n", n}, {"h", h}, {"w", w}}}).run(*device), shape);
    REQUIRE(found.shape() == expected.shape());
    for (std::int64_t i = 0; i < found.elements(); ++i)
      REQUIRE(found.get(i) == doctest::Approx(expected.get(i)).epsilon(1e-5));
  }
}

TEST_CASE("symbolic models: dimensions may be called as indices of definitions are") {
  OnnxModel onnx;
  onnx.input("x", {1, 1}).ints("swap", {2}, {1, 0});
  onnx.node("Shape", {"x"}, {"shape"}).node("Gather", {"shape", "swap"}, {"swapped"});
  onnx.node("Reshape", {"x", "swapped"}, {"y"}).output("y");
  name_dims(onnx, 0, {"d0", "d1"});
  const Model model = load_model(onnx);
  const auto device = Device::open();
  for (const auto& [rows, columns] : {std::pair{1, 1}, {3, 5}, {7, 2}}) {
    const Buffer y = output_of(
        model.run(*device, Precision::Float32, {{"d0_size", rows}, {"d1_size", columns}}), {rows, columns});
    REQUIRE(y.shape() == Ints{columns, rows});
    for (std::int64_t i = 0; i < y.elements(); ++i) REQUIRE(y.get(i) == doctest::Approx((i % 13) / 13.0));
  }
}

TEST_CASE("symbolic models: what needs a number says which dimension to fix") {
  OnnxModel onnx;
  onnx.input("x", {1, 4}).node("ReduceSum", {"x"}, {"y"}).output("y");
  name_dims(onnx, 0, {"batch", ""});
  CHECK_THROWS_WITH_AS(load_model(onnx).run(*Device::open()),
                       "realize: no value for the Param \"batch\"; pass one under that name", Error);
}
