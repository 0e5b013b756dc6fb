// Tests layout transformations that become layouts of their inputs.
#include "graph/views/propagate_layouts.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "graph/fuse/fuse.h"
#include "graph/store/place_concatenations.h"
#include "graph/views/choose_layouts.h"
#include "graph/views/find_aliases.h"
#include "graph/views/fold_views.h"
#include "support/after_pass.h"
#include "support/definitions.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using tensordsl::testing::groups_after;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// "p: b a c; t is p", the layouts that are not row-major, and the aliases.
std::string absorbed(const DefinitionGraph& graph) {
  std::vector<Layout> layouts = choose_layouts(graph);
  const std::vector<FusedGroup> groups = groups_after<fuse>(graph);
  const auto within = place_concatenations(graph, groups, layouts);
  propagate_layouts(graph, groups, within, layouts);
  std::string all;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    std::vector<std::string> names{"a", "b", "c", "d"};
    names.resize(static_cast<std::size_t>(graph.tensors[i].func.rank()));
    if (!layouts[i].is_row_major())
      all += fmt::format("{}: {}; ", graph.tensors[i].name, layouts[i].to_string(names));
  }
  for (const auto& [tensor, source] : find_aliases(graph, groups, layouts, within).sources)
    all += fmt::format("{} is {}; ", graph.tensors[tensor].name, graph.tensors[source].name);
  return all;
}

std::string absorbed(const OnnxModel& model) { return absorbed(definitions_of(model)); }

/// p[2, 5, 4] = x * z, and t[5, 2, 4] of it.
OnnxModel product() {
  OnnxModel model;
  model.input("x", {2, 5, 3}).input("z", {2, 3, 4}).node("MatMul", {"x", "z"}, {"p"});
  return model.node("Transpose", {"p"}, {"t"}, {attribute("perm", Ints{1, 0, 2})});
}

}  // namespace

TEST_CASE("absorb: what a transpose alone reads is stored in its order, a reshape behind it included") {
  OnnxModel model = product();
  model.node("Neg", {"t"}, {"y"}).node("Abs", {"t"}, {"z2"}).output("y").output("z2");
  CHECK(absorbed(model) == "p: b a c; t is p; ");
  OnnxModel merged;
  merged.input("x", {2, 5, 3}).input("z", {2, 3, 4}).node("MatMul", {"x", "z"}, {"p"});
  merged.node("Transpose", {"p"}, {"t"}, {attribute("perm", Ints{1, 0, 2})}).ints("shape", {2}, {5, 8});
  merged.node("Reshape", {"t", "shape"}, {"r"}).node("Softmax", {"r"}, {"y"}).output("y");
  CHECK(absorbed(merged) == "p: b a c; t is p; r is t; ");
}

TEST_CASE("absorb: neighbors that the kernel writes together stay neighbors") {
  OnnxModel model;
  model.input("x", {2, 5, 3}).input("z", {2, 3, 4}).node("MatMul", {"x", "z"}, {"p"});
  model.node("Transpose", {"p"}, {"t"}, {attribute("perm", Ints{0, 2, 1})}).node("Neg", {"t"}, {"y"});
  CHECK(absorbed(model.output("y")).empty());
}

TEST_CASE("absorb: inputs, what others read, and what the host reads stay as they are") {
  OnnxModel input;
  input.input("x", {2, 5, 3}).node("Transpose", {"x"}, {"t"}, {attribute("perm", Ints{1, 0, 2})});
  CHECK(absorbed(input.node("Softmax", {"t"}, {"y"}).output("y")).empty());
  OnnxModel shared = product();
  shared.node("Softmax", {"t"}, {"y"}).node("Softmax", {"p"}, {"s"}).output("y").output("s");
  CHECK(absorbed(shared).empty());
  OnnxModel output = product();
  CHECK(absorbed(output.node("Softmax", {"t"}, {"y"}).output("y").output("p")).empty());
}

TEST_CASE("absorb: what the host reads lies as it reads it, and so does what only that is made of") {
  OnnxModel model = product();
  CHECK(absorbed(model.output("t")) == "p: b a c; t is p; ");
  OnnxModel behind = product();
  behind.ints("shape", {2}, {5, 8}).node("Reshape", {"t", "shape"}, {"r"}).output("r");
  CHECK(absorbed(behind) == "p: b a c; t is p; r is t; ");
}

TEST_CASE("absorb: a transpose to channels last is the layout that a window asked for") {
  OnnxModel model;
  model.input("x", {1, 3, 8, 8}).floats("w", {4, 3, 3, 3}, testing::Floats(108, 1));
  model.node("Conv", {"x", "w"}, {"c"})
      .node("Transpose", {"c"}, {"t"}, {attribute("perm", Ints{0, 2, 3, 1})});
  model.ints("shape", {2}, {36, 4}).node("Reshape", {"t", "shape"}, {"r"}).node("Softmax", {"r"}, {"y"});
  CHECK(absorbed(model.output("y")).find("t is c; ") != std::string::npos);
}

namespace {

/// p[6, 4, 3], windows of a picture of 4 x 6, as two columns and all rows each: w[24, 3].
OnnxModel windows() {
  OnnxModel model;
  model.input("x", {6, 4, 5}).input("z", {6, 5, 3}).node("MatMul", {"x", "z"}, {"p"});
  model.ints("cut", {5}, {2, 3, 2, 2, 3}).ints("flat", {2}, {24, 3});
  model.node("Reshape", {"p", "cut"}, {"c"});
  model.node("Transpose", {"c"}, {"t"}, {attribute("perm", Ints{0, 2, 1, 3, 4})});
  return model.node("Reshape", {"t", "flat"}, {"w"});
}

}  // namespace

TEST_CASE("absorb: windows that are put together again are computed in their places") {
  OnnxModel model = windows();
  model.node("Softmax", {"w"}, {"y"}).output("y");
  CHECK(absorbed(model) == "p: a/3 b/2 a%3 b%2 c; c: a c b d ; c is p; t is c; w is t; ");
}

TEST_CASE("absorb: windows that become a part of a concatenation are computed there") {
  OnnxModel model = windows();
  model.input("u", {24, 3}).node("Relu", {"u"}, {"v"});
  model.node("Concat", {"v", "w"}, {"all"}, {attribute("axis", 1)}).node("Softmax", {"all"}, {"y"});
  const DefinitionGraph graph = after<fold_views>(definitions_of(model.output("y")));
  CHECK(absorbed(graph) == "p: a/3 b/2 a%3 b%2 3+c; w: a 3+b; v: a b+3; w is p; ");
}
