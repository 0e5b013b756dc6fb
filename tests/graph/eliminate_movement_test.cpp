// Movements that go into the indices of their readers.
#include "graph/eliminate_movement.h"

#include <doctest/doctest.h>

#include <random>

#include "graph/simplify_graph.h"
#include "runtime/interpreter.h"
#include "support/buffers.h"
#include "support/definitions.h"

using namespace tensordsl;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// "y = Mul: value", a line for each tensor that is computed.
std::string eliminated(const OnnxModel& model, const std::set<std::string>& kept = {}) {
  const DefinitionGraph graph = eliminate_movement(simplify_graph(definitions_of(model)), kept);
  std::string all;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (!tensor.func.is_input()) all += fmt::format("{} {}", tensor.origin.kind, testing::text(tensor.func));
  }
  return all;
}

/// x[5, 24] -> its middle third as [2, 5, 4], the queries of an attention
OnnxModel heads() {
  OnnxModel model;
  model.input("x", {5, 24}).ints("begin", {1}, {8}).ints("end", {1}, {16}).ints("axis", {1}, {1});
  model.node("Slice", {"x", "begin", "end", "axis"}, {"s"}).ints("shape", {3}, {5, 2, 4});
  model.node("Reshape", {"s", "shape"}, {"r"});
  model.node("Transpose", {"r"}, {"t"}, {attribute("perm", Ints{1, 0, 2})});
  return model;
}

}  // namespace

TEST_CASE("movement: a slice, a reshape and a transpose go into the index of what reads them") {
  OnnxModel model = heads();
  model.node("Neg", {"t"}, {"y"}).output("y");
  CHECK(eliminated(model) == "Neg neg_4(d0, d1, d2) = -0.0 - t0(d1, d0*4 + d2 + 8):f32\n");
}

TEST_CASE("movement: a contraction reads its operands where they are, as long as that runs along memory") {
  OnnxModel model = heads();
  model.input("k", {2, 4, 3}).node("MatMul", {"t", "k"}, {"y"}).output("y");
  CHECK(eliminated(model).starts_with("MatMul "));
  // Along its other axis it would read every 24th element.
  OnnxModel turned = heads();
  turned.node("Transpose", {"t"}, {"u"}, {attribute("perm", Ints{0, 2, 1})});
  turned.input("q", {2, 3, 4}).node("MatMul", {"q", "u"}, {"y"}).output("y");
  CHECK(eliminated(turned).starts_with(
      "Transpose transpose_5(d0, d1, d2) = t0(d2, d0*4 + d1 + 8):f32\nMatMul "));
}

TEST_CASE("movement: those in a row are one, whatever reads the last") {
  OnnxModel model = heads();
  model.output("t");
  CHECK(eliminated(model) == "Transpose transpose_3(d0, d1, d2) = t0(d1, d0*4 + d2 + 8):f32\n");
}

TEST_CASE("movement: what the host reads, what windows read, and what is asked to stay, stays") {
  OnnxModel output = heads();
  output.node("Neg", {"t"}, {"y"}).output("y").output("t");
  CHECK(eliminated(output).find("= -0.0 - transpose_3(d0, d1, d2)") != std::string::npos);
  OnnxModel kept = heads();
  kept.node("Neg", {"t"}, {"y"}).output("y");
  CHECK(eliminated(kept, {"Transpose"}).find("\nTranspose ") != std::string::npos);
  OnnxModel windows;
  windows.input("x", {1, 4, 6, 2}).node("Transpose", {"x"}, {"t"}, {attribute("perm", Ints{0, 3, 1, 2})});
  windows.floats("w", {2, 2, 3, 3}, testing::Floats(36, 1)).node("Conv", {"t", "w"}, {"y"}).output("y");
  CHECK(eliminated(windows).starts_with("Transpose "));
}

TEST_CASE("movement: a reshape alone is left to be another name of its memory") {
  OnnxModel model;
  model.input("x", {6, 4}).node("Relu", {"x"}, {"a"}).ints("shape", {3}, {2, 3, 4});
  model.node("Reshape", {"a", "shape"}, {"r"}).node("Neg", {"r"}, {"y"}).output("y");
  CHECK(eliminated(model).find("\nReshape ") != std::string::npos);
}

TEST_CASE("movement: one that some reader needs is there for all") {
  OnnxModel model = heads();
  model.node("Neg", {"t"}, {"y"}).node("Transpose", {"t"}, {"u"}, {attribute("perm", Ints{0, 2, 1})});
  model.output("y").output("u");
  CHECK(eliminated(model) ==
        "Neg neg_4(d0, d1, d2) = -0.0 - t0(d1, d0*4 + d2 + 8):f32\n"
        "Transpose transpose_5(d0, d1, d2) = t0(d2, d0*4 + d1 + 8):f32\n");
  // Windows slide over the same tensor.
  OnnxModel with_windows = heads();
  with_windows.floats("w", {1, 5, 3}, testing::Floats(15, 1)).node("Conv", {"t", "w"}, {"z"});
  with_windows.node("Neg", {"t"}, {"y"}).output("y").output("z");
  CHECK(eliminated(with_windows).find(" = -0.0 - transpose_") != std::string::npos);
}

namespace {

/// Some movements, and among them what is no movement, over a tensor of a few elements.
OnnxModel random_movements(std::mt19937& random) {
  const auto below = [&](std::size_t end) { return static_cast<std::int64_t>(random() % end); };
  OnnxModel model;
  Ints shape{2 + below(3), 1 + below(4), 2 * (1 + below(3)), 6};
  model.input("x", shape);
  std::string last = "x";
  const std::int64_t steps = 2 + below(7);
  for (std::int64_t i = 0; i < steps; ++i) {
    const std::string at = std::to_string(i), next = "v" + at;
    const auto axis = static_cast<std::size_t>(below(shape.size()));
    switch (random() % 6) {
      case 0: {
        Ints perm(shape.size());
        for (std::size_t d = 0; d < perm.size(); ++d) perm[d] = static_cast<std::int64_t>(d);
        std::shuffle(perm.begin(), perm.end(), random);
        Ints moved;
        for (const std::int64_t d : perm) moved.push_back(shape[static_cast<std::size_t>(d)]);
        shape = moved;
        model.node("Transpose", {last}, {next}, {attribute("perm", perm)});
        break;
      }
      case 1: {  // two neighbors together, or one apart
        if (shape.size() > 2 && axis + 1 < shape.size()) {
          shape[axis] *= shape[axis + 1];
          shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
        } else {
          const std::int64_t part = shape[axis] % 2 == 0 ? 2 : 1;
          shape[axis] /= part;
          shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, part);
        }
        model.ints("shape" + at, {static_cast<std::int64_t>(shape.size())}, shape);
        model.node("Reshape", {last, "shape" + at}, {next});
        break;
      }
      case 2: {
        const std::int64_t begin = below(static_cast<std::size_t>(shape[axis])), step = 1 + below(2);
        model.ints("b" + at, {1}, {begin}).ints("e" + at, {1}, {shape[axis]}).ints("s" + at, {1}, {step});
        model.ints("a" + at, {1}, {static_cast<std::int64_t>(axis)});
        model.node("Slice", {last, "b" + at, "e" + at, "a" + at, "s" + at}, {next});
        shape[axis] = (shape[axis] - begin + step - 1) / step;
        break;
      }
      case 3:
        model.node("Neg", {last}, {next});
        break;
      case 4:
        model.node("Softmax", {last}, {next}, {attribute("axis", static_cast<int>(axis))});
        break;
      default: {
        const std::int64_t columns = 1 + below(4);
        model.floats("w" + at, {shape.back(), columns},
                     testing::Floats(static_cast<std::size_t>(shape.back() * columns), 0.25F));
        model.node("MatMul", {last, "w" + at}, {next});
        shape.back() = columns;
      }
    }
    last = next;
  }
  model.node("Abs", {last}, {"y"}).output("y");
  return model;
}

Buffer value_of(const DefinitionGraph& graph) {
  InterpretArguments arguments;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (!tensor.func.is_input()) continue;
    std::vector<std::int64_t> shape;
    for (const Expr& extent : tensor.extents()) shape.push_back(*ir::as_int(extent));
    arguments.inputs.emplace(tensor.func.name(), tensor.constant
                                                     ? tensor.constant->reshaped(shape)
                                                     : testing::filled(Float(32), shape, [](std::int64_t i) {
                                                         return (i * 37 + 5) % 101 / 10.0 - 5;
                                                       }));
  }
  const DefinedTensor& output = graph.tensors[graph.outputs[0].tensor];
  std::vector<std::int64_t> shape;
  for (const Expr& extent : output.extents()) shape.push_back(*ir::as_int(extent));
  return interpret(output.func.shared(), shape, arguments);
}

}  // namespace

TEST_CASE("movement: of 300 random models none computes anything else") {
  std::mt19937 random(17);
  std::size_t before = 0, after = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const DefinitionGraph graph = simplify_graph(definitions_of(random_movements(random)));
    const DefinitionGraph without = eliminate_movement(graph);
    before += graph.tensors.size();
    after += without.tensors.size();
    REQUIRE(testing::values_of(value_of(without)) == testing::values_of(value_of(graph)));
  }
  CHECK(after < before);
}
