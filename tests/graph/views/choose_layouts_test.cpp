// Tests which tensors are stored channels last.
#include "graph/views/choose_layouts.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/definitions.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// "x: n h w c", a line for each tensor of the model that is not a constant.
std::string layouts(const OnnxModel& model) {
  const DefinitionGraph graph = definitions_of(model);
  const std::vector<Layout> chosen = choose_layouts(graph);
  std::string all;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (graph.tensors[i].constant) continue;
    std::vector<std::string> names{"n", "c", "h", "w", "v"};
    names.resize(static_cast<std::size_t>(graph.tensors[i].func.rank()));
    all += fmt::format("{}: {}\n", graph.tensors[i].name, chosen[i].to_string(names));
  }
  return all;
}

}  // namespace

TEST_CASE("layouts: what a window slides over lies channels last, and so does what is made of it in place") {
  OnnxModel model;
  model.input("x", {1, 3, 8, 8}).input("z", {1, 4, 8, 8});
  model.floats("w", {4, 3, 3, 3}, std::vector<float>(108, 1.0F));
  model.node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})});
  model.node("Add", {"c", "z"}, {"s"}).node("Softmax", {"s"}, {"y"}, {attribute("axis", 1)}).output("y");
  CHECK(layouts(model) == "x: n h w c\nz: n h w c\nc: n h w c\ns: n h w c\ny: n h w c\n");
}

TEST_CASE("layouts: a convolution of single pixels makes channels of others") {
  OnnxModel model;
  model.input("x", {1, 3, 8, 8}).floats("w", {4, 3, 1, 1}, std::vector<float>(12, 1.0F));
  model.node("Conv", {"x", "w"}, {"y"}).output("y");
  CHECK(layouts(model) == "x: n h w c\ny: n h w c\n");
}

TEST_CASE("layouts: attention has rows and columns, whatever made its input") {
  OnnxModel model;
  model.input("x", {1, 8, 4, 4}).floats("w", {8, 8, 1, 1}, std::vector<float>(64, 1.0F));
  model.node("Conv", {"x", "w"}, {"c"}).ints("shape", {4}, {1, 2, 4, 16});
  model.node("Reshape", {"c", "shape"}, {"q"});
  model.node("Transpose", {"q"}, {"k"}, {attribute("perm", Ints{0, 1, 3, 2})});
  model.node("MatMul", {"k", "q"}, {"s"}).node("Softmax", {"s"}, {"y"}).output("y");
  CHECK(layouts(model) == "x: n h w c\nc: n h w c\nq: n c h w\nk: n c h w\ns: n c h w\ny: n c h w\n");
}

TEST_CASE("layouts: a transposition to channels last is row-major") {
  OnnxModel model;
  model.input("x", {1, 3, 8, 8});
  model.node("MaxPool", {"x"}, {"p"}, {attribute("kernel_shape", Ints{2, 2})});
  model.node("Transpose", {"p"}, {"y"}, {attribute("perm", Ints{0, 2, 3, 1})}).output("y");
  CHECK(layouts(model) == "x: n h w c\np: n h w c\ny: n c h w\n");
}

TEST_CASE("layouts: tensors of other than four dimensions are row-major") {
  OnnxModel model;
  model.input("x", {2, 3, 8}).floats("w", {4, 3, 3}, std::vector<float>(36, 1.0F));
  model.node("Conv", {"x", "w"}, {"y"}).output("y");
  CHECK(layouts(model) == "x: n c h\ny: n c h\n");
}
