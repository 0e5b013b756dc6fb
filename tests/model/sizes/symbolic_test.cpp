// Models with symbolic dimensions: one Program for any size.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/buffer/uniform.h"
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

TEST_CASE("symbolic models: weights that are an input are copied once, for images of any size") {
  const auto device = Device::open();
  OnnxModel onnx;
  onnx.input("x", {1, 16, 1, 1}).input("w", {35, 16, 3, 3});
  onnx.node("Conv", {"x", "w"}, {"y"}, {attribute("pads", Ints{1, 1, 1, 1})}).output("y");
  name_dims(onnx, 0, {"", "", "h", "w"});
  const Model model = load_model(onnx);
  const Buffer weights = runtime::uniform("w", {35, 16, 3, 3});
  for (const auto& [h, w] : {std::pair{1, 1}, {5, 9}, {23, 37}}) {
    CAPTURE(h);
    const Buffer x = runtime::uniform("x", {1, 16, h, w});
    Runner runner = model.run(*device, Precision::Float32, {{"h_size", h}, {"w_size", w}});
    REQUIRE(runner.program().launches.size() == 2);
    runner.write("x", x);
    runner.write("w", weights);
    runner.run();
    const Buffer found = runner.read();
    const Model fixed = load_model(onnx, {.dims = {{"h", h}, {"w", w}}});
    const Buffer expected = fixed.interpret({{"x", x}, {"w", weights}}).at("y");
    REQUIRE(found.shape() == expected.shape());
    for (std::int64_t i = 0; i < found.elements(); ++i)
      REQUIRE(found.get(i) == doctest::Approx(expected.get(i)).epsilon(1e-4));
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

namespace {

/// Returns the rows that ONNX's Slice takes of `extent`.
Ints sliced(std::int64_t extent, std::int64_t start, std::int64_t end, std::int64_t step) {
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
  const auto place = [&](std::int64_t given, std::int64_t lowest) {
    return std::clamp(given < 0 ? given + extent : given, lowest, high);
  };
  const std::int64_t stop = end == INT64_MAX ? (step > 0 ? extent : -1) : place(end, low);
  Ints rows;
  for (std::int64_t at = place(start, 0); step > 0 ? at < stop : at > stop; at += step) rows.push_back(at);
  return rows;
}

}  // namespace

TEST_CASE("symbolic models: a Slice is clamped to the extent that is there, to nothing too") {
  OnnxModel onnx;
  onnx.input("x", {1, 2});
  std::vector<std::array<std::int64_t, 3>> slices;
  for (const std::int64_t start : {-9, -2, 0, 2})
    for (const std::int64_t end : {std::int64_t{-1}, std::int64_t{1}, std::int64_t{5}, INT64_MAX})
      for (const std::int64_t step : {1, -2}) slices.push_back({start, end, step});
  onnx.ints("axis", {1}, {0});
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::string n = std::to_string(i);
    onnx.ints("s" + n, {1}, {slices[i][0]})
        .ints("e" + n, {1}, {slices[i][1]})
        .ints("t" + n, {1}, {slices[i][2]});
    onnx.node("Slice", {"x", "s" + n, "e" + n, "axis", "t" + n}, {"y" + n}).output("y" + n);
  }
  name_dims(onnx, 0, {"length", ""});
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  const auto program = std::make_shared<const Program>(load_model(onnx).compile(target));
  for (const std::int64_t n : {1, 2, 3, 7}) {
    Runner runner(program, *device, {{"length", n}});
    Buffer x(Float(32), {n, 2});
    for (std::int64_t i = 0; i < x.elements(); ++i) x.set(i, static_cast<double>(i));
    runner.write("x", x);
    runner.run();
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const auto& [start, end, step] = slices[i];
      CAPTURE(n);
      CAPTURE(start);
      CAPTURE(end);
      CAPTURE(step);
      const Ints rows = sliced(n, start, end, step);
      const Buffer y = runner.read("y" + std::to_string(i));
      REQUIRE(y.shape() == Ints{static_cast<std::int64_t>(rows.size()), 2});
      for (std::size_t row = 0; row < rows.size(); ++row)
        REQUIRE(y.get(static_cast<std::int64_t>(row) * 2 + 1) == static_cast<double>(rows[row] * 2 + 1));
    }
  }
}

TEST_CASE("symbolic models: a table that is cut to a length has that length, and longer inputs are refused") {
  OnnxModel onnx;
  onnx.input("x", {1, 2}).floats("table", {8, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  onnx.ints("zero", {1}, {0});
  onnx.node("Shape", {"x"}, {"shape"}).node("Gather", {"shape", "zero"}, {"rows"});
  onnx.node("Slice", {"table", "zero", "rows", "zero"}, {"cut"});
  onnx.node("Add", {"x", "cut"}, {"y"}).output("y");
  name_dims(onnx, 0, {"length", ""});
  const Model model = load_model(onnx);
  REQUIRE(model.warnings().size() == 1);
  CHECK(model.warnings()[0] ==
        "the size min(length, 8) is assumed to be length, because otherwise: node 'y' (Add): [length,2] and "
        "[min(length, 8),2] do not broadcast: length against min(length, 8) in dimension 2 from the end; "
        "other inputs are rejected");
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  const auto program = std::make_shared<const Program>(model.compile(target));
  for (const std::int64_t n : {1, 5, 8}) {
    const Buffer y = output_of(Runner(program, *device, {{"length", n}}), {n, 2});
    REQUIRE(y.shape() == Ints{n, 2});
    for (std::int64_t i = 0; i < y.elements(); ++i)
      CHECK(y.get(i) == doctest::Approx(static_cast<double>(i) + static_cast<double>(i % 13) / 13));
  }
  constexpr const char* kRemedy =
      "pass a larger one, compute less, clamp the index, or use a BoundaryCondition";
  CHECK(error_of([&] {
          output_of(Runner(program, *device, {{"length", 9}}), {9, 2});
        }) ==
        std::string("realize: add reads x1 at [0, 9) of dimension 0 (d0), but its extent is 8; ") + kRemedy);

  // Here no read is outside.
  OnnxModel own;
  own.input("x", {1, 2}).ints("zero", {1}, {0}).ints("eight", {1}, {8});
  own.node("Slice", {"x", "zero", "eight", "zero"}, {"cut"}).node("Add", {"x", "cut"}, {"y"}).output("y");
  name_dims(own, 0, {"length", ""});
  const auto doubled = std::make_shared<const Program>(load_model(own).compile(target));
  CHECK(output_of(Runner(doubled, *device, {{"length", 8}}), {8, 2}).get(12) == doctest::Approx(24.0 / 13));
  CHECK(error_of([&] {
          output_of(Runner(doubled, *device, {{"length", 9}}), {9, 2});
        }) ==
        "realize: node 'y' (Add) needs 9 elements in dimension 0 of cut, which has 8; pass a larger one");

  OnnxModel top;
  top.input("x", {5}).ints("k", {1}, {3}).node("TopK", {"x", "k"}, {"y", "places"}).output("y");
  name_dims(top, 0, {"length"});
  const auto best = std::make_shared<const Program>(load_model(top).compile(target));
  CHECK(error_of([&] {
          output_of(Runner(best, *device, {{"length", 2}}), {2});
        }) ==
        "realize: node 'y' (TopK) with k = 3 needs 3 elements in dimension 0 of x, which has 2; pass a "
        "larger one");
}

TEST_CASE("symbolic models: a dimension that no kernel needs is a Param of the Program all the same") {
  OnnxModel onnx;
  onnx.input("x", {1, 2}).input("unused", {1});
  onnx.node("Identity", {"x"}, {"y"}).output("y");
  name_dims(onnx, 0, {"length", ""});
  name_dims(onnx, 1, {"others"});
  const Model model = load_model(onnx);
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  const auto program = std::make_shared<const Program>(model.compile(target));
  CHECK(program->params == model.params());
  Runner runner(program, *device, {{"length", 3}, {"others", 4}});
  runner.write("unused", Buffer(Float(32), {4}));
  const Buffer y = output_of(std::move(runner), {3, 2});
  CHECK(y.shape() == Ints{3, 2});
  CHECK(y.get(5) == doctest::Approx(5.0 / 13));
}

TEST_CASE("symbolic models: what needs a number says which dimension to fix") {
  OnnxModel onnx;
  onnx.input("x", {1, 4}).node("ReduceSum", {"x"}, {"y"}).output("y");
  name_dims(onnx, 0, {"batch", ""});
  CHECK_THROWS_WITH_AS(load_model(onnx).run(*Device::open()),
                       "no value for the Param \"batch\"; pass one with this name", Error);
}

TEST_CASE("symbolic models: operations of open sizes are unknown, not those of one element") {
  OnnxModel onnx;
  onnx.input("x", {1, 4})
      .floats("w", {4, 6}, Floats(24, 0.25F))
      .node("MatMul", {"x", "w"}, {"y"})
      .output("y");
  name_dims(onnx, 0, {"batch", ""});
  CHECK(load_model(onnx).compile().flops() == 0);
  ModelOptions fixed;
  fixed.dims = {{"batch", 3}};
  CHECK(load_model(onnx, fixed).compile().flops() == 2 * 3 * 4 * 6);
}
