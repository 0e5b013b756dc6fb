// Normalizations and softmaxes that a model writes out, as one definition.
#include "graph/rewrite/fuse_row_reductions.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "graph/fuse/fuse.h"
#include "graph/rewrite/simplify_graph.h"
#include "support/after_pass.h"
#include "support/definitions.h"
#include "support/graph_values.h"

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

DefinitionGraph graph_of(const OnnxModel& model) { return after<simplify_graph>(definitions_of(model)); }

/// "ReduceMean+Sub -> y", a line for each group; the values are those from before.
std::string composed(const OnnxModel& model, const Target& target = {},
                     const std::set<std::string>& apart = {}) {
  const DefinitionGraph before = graph_of(model);
  const DefinitionGraph now = after<fuse_row_reductions>(before, target, {}, apart);
  const auto expected = testing::values_of(before), found = testing::values_of(now);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    REQUIRE(found[i].size() == expected[i].size());
    for (std::size_t j = 0; j < found[i].size(); ++j) CHECK(found[i][j] == doctest::Approx(expected[i][j]));
  }
  std::string all;
  for (const FusedGroup& group : groups_after<fuse>(now))
    all += fmt::format("{} -> {}\n", group.label, now.tensors[group.stored_tensors.at(0)].name);
  return all;
}

/// y = (x - mean)/sqrt(variance)
OnnxModel normalization(const Ints& shape, std::int64_t axis = -1) {
  OnnxModel model;
  model.input("x", shape).floats("two", {}, {2}).floats("eps", {}, {0.01F});
  model.node("ReduceMean", {"x"}, {"m"}, {attribute("axes", Ints{axis})});
  model.node("Sub", {"x", "m"}, {"d"}).node("Pow", {"d", "two"}, {"p"});
  model.node("ReduceMean", {"p"}, {"v"}, {attribute("axes", Ints{axis})});
  model.node("Add", {"v", "eps"}, {"e"}).node("Sqrt", {"e"}, {"s"});
  return model.node("Div", {"d", "s"}, {"y"});
}

}  // namespace

TEST_CASE("row reductions: a normalization that is written out is one definition, as that of the operator") {
  OnnxModel layer = normalization({4, 3, 8});
  layer.floats("g", {8}, {1, 2, 3, 4, 5, 6, 7, 8}).node("Mul", {"y", "g"}, {"z"}).output("z");
  CHECK(composed(layer) == "ReduceMean+Sub+Pow+ReduceMean+Add+Sqrt+Div+Mul -> z\n");

  OnnxModel root;  // of the mean square
  root.input("x", {5, 7}).floats("two", {}, {2}).floats("eps", {}, {0.01F});
  root.node("Pow", {"x", "two"}, {"p"}).node("ReduceMean", {"p"}, {"m"}, {attribute("axes", Ints{-1})});
  root.node("Add", {"m", "eps"}, {"e"}).node("Sqrt", {"e"}, {"s"}).node("Div", {"x", "s"}, {"y"}).output("y");
  CHECK(composed(root) == "Pow+ReduceMean+Add+Sqrt+Div -> y\n");
}

TEST_CASE("row reductions: so is a softmax, along any dimension, and a length with its sum of squares") {
  for (const std::int64_t axis : {0, 1, 2}) {
    OnnxModel softmax;
    softmax.input("x", {3, 5, 7}).ints("axis", {1}, {axis});
    softmax.node("ReduceMax", {"x"}, {"m"}, {attribute("axes", Ints{axis})}).node("Sub", {"x", "m"}, {"d"});
    softmax.node("Exp", {"d"}, {"e"}).node("ReduceSum", {"e", "axis"}, {"s"}).node("Div", {"e", "s"}, {"y"});
    CHECK(composed(softmax.output("y")) == "ReduceMax+Sub+Exp+ReduceSum+Div -> y\n");
  }
  OnnxModel length;
  length.input("x", {3, 17}).ints("axis", {1}, {1}).node("Mul", {"x", "x"}, {"p"});
  length.node("ReduceSum", {"p", "axis"}, {"s"}).node("Sqrt", {"s"}, {"q"}).node("Div", {"x", "q"}, {"y"});
  CHECK(composed(length.output("y")) == "Mul+ReduceSum+Sqrt+Div -> y\n");
}

TEST_CASE("row reductions: what others read, or the host, or a refused tensor ends a row") {
  OnnxModel output = normalization({4, 3, 8});
  CHECK(composed(output.output("y").output("d")) ==
        "ReduceMean+Sub -> d\nPow+ReduceMean+Add+Sqrt+Div -> y\n");
  OnnxModel mean = normalization({4, 3, 8});
  CHECK(composed(mean.output("y").output("m")) == "ReduceMean -> m\nSub+Pow+ReduceMean+Add+Sqrt+Div -> y\n");
  OnnxModel refused = normalization({4, 3, 8});
  const std::string apart = composed(refused.output("y"), {}, {"d", "y"});
  CHECK(apart.find("ReduceMean -> m\nSub -> d\n") == 0);
  CHECK(apart.ends_with("Div -> y\n"));
}

TEST_CASE("row reductions: reductions along other dimensions, and few long rows, are kernels of their own") {
  OnnxModel two;
  two.input("x", {6, 5, 7}).node("ReduceMean", {"x"}, {"m"}, {attribute("axes", Ints{2})});
  two.node("Sub", {"x", "m"}, {"d"}).node("ReduceMean", {"d"}, {"n"}, {attribute("axes", Ints{1})});
  two.node("Sub", {"d", "n"}, {"y"}).output("y");
  CHECK(composed(two) == "ReduceMean -> m\nSub+ReduceMean+Sub -> y\n");

  OnnxModel all;
  all.input("x", {1, 40, 500}).node("ReduceMean", {"x"}, {"m"}, {attribute("axes", Ints{1, 2})});
  all.node("Sub", {"x", "m"}, {"y"}).output("y");
  CHECK(composed(all) == "ReduceMean -> m\nSub -> y\n");
}

TEST_CASE(
    "row reductions: what is read elsewhere in a row, and what a sum is stored through, is no part of it") {
  OnnxModel moved;
  moved.input("x", {5, 5}).node("ReduceMax", {"x"}, {"m"}, {attribute("axes", Ints{1})});
  moved.node("Transpose", {"m"}, {"t"}, {attribute("perm", Ints{1, 0})}).node("Sub", {"x", "t"}, {"y"});
  CHECK(composed(moved.output("y")).starts_with("ReduceMax"));
  CHECK(composed(moved).find("Sub -> y") != std::string::npos);

  OnnxModel stored;
  stored.input("x", {5, 4}).floats("w", {4, 6}, std::vector<float>(24, 0.5F)).ints("axis", {1}, {1});
  stored.node("MatMul", {"x", "w"}, {"p"}).node("Exp", {"p"}, {"e"}).node("ReduceSum", {"e", "axis"}, {"y"});
  CHECK(composed(stored.output("y")) == "MatMul+Exp -> e\nReduceSum -> y\n");
}
