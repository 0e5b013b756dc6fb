// Operands that a group's output may be stored over.
#include "graph/schedule/find_in_place.h"

#include <doctest/doctest.h>

#include "graph/fuse/fuse.h"
#include "graph/schedule/define_group.h"
#include "graph/views/choose_layouts.h"
#include "support/after_pass.h"
#include "support/definitions.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::groups_after;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// The names of those of the last group, each followed by a space.
std::string overwritable(const OnnxModel& model) {
  const DefinitionGraph graph = definitions_of(model);
  const auto groups = groups_after<fuse>(graph);
  const StoredGroup group = with_layouts(
      define_group(graph, TensorFuncs(graph), groups.back(), Precision::Float32), choose_layouts(graph));
  std::string names;
  for (const std::size_t i : overwritable_operands(group))
    names += graph.tensors[group.operands[i].tensor].name + " ";
  return names;
}

/// y = relu(x), of [6, 7], with a schedule by `split`.
template <typename Schedule>
bool is_stored_once(int columns, Schedule schedule) {
  const Var i("i"), j("j"), outer("outer"), inner("inner");
  StoredGroup group;
  const Input x("x", Float(32), {6, columns});
  Func y("y");
  y(i, j) = max(x(i, j), 0.0f);
  y.bound({6, columns});
  schedule(y, j, outer, inner);
  group.outputs = {y};
  group.stored = {{Float(32), {6, columns}, Layout::row_major(2)}};
  return stores_each_once(group);
}

}  // namespace

TEST_CASE("overwritable: both operands of a sum, but not one that is repeated along a dimension") {
  OnnxModel model;
  model.input("a", {4, 5}).input("b", {4, 5}).input("c", {1, 5}).input("d", {4, 1});
  model.node("Add", {"a", "b"}, {"e"}).node("Mul", {"e", "c"}, {"f"}).node("Sub", {"f", "d"}, {"y"});
  CHECK(overwritable(model.output("y")) == "a b ");
}

TEST_CASE("overwritable: what is added to a product, but neither factor, though one has the same shape") {
  OnnxModel model;
  model.input("x", {6, 6}).input("z", {6, 6}).floats("w", {6, 6}, std::vector<float>(36, 1.0F));
  model.node("MatMul", {"x", "w"}, {"p"}).node("Add", {"p", "z"}, {"y"});
  CHECK(overwritable(model.output("y")) == "z ");
}

TEST_CASE("overwritable: nothing that is read in its place and elsewhere too") {
  OnnxModel product;
  product.input("x", {6, 6}).floats("w", {6, 6}, std::vector<float>(36, 1.0F));
  product.node("MatMul", {"x", "w"}, {"p"}).node("Add", {"p", "x"}, {"y"});
  CHECK(overwritable(product.output("y")) == "");
  OnnxModel softmax;
  softmax.input("x", {6, 6}).node("Softmax", {"x"}, {"y"}, {attribute("axis", 1)});
  CHECK(overwritable(softmax.output("y")) == "");
}

TEST_CASE("overwritable: nothing that is read through a transpose, or lies otherwise in memory") {
  OnnxModel model;
  model.input("x", {6, 6}).node("Transpose", {"x"}, {"t"}, {attribute("perm", Ints{1, 0})});
  CHECK(overwritable(model.node("Relu", {"t"}, {"y"}).output("y")) == "");
  OnnxModel widened;
  widened.input("x", {4, 5}).node("Cast", {"x"}, {"y"}, {attribute("to", 6)});
  CHECK(overwritable(widened.output("y")) == "");
}

TEST_CASE("overwritable: a window of a pooling reads its neighbors") {
  OnnxModel model;
  model.input("x", {1, 3, 8, 8});
  model.node("MaxPool", {"x"}, {"y"},
             {attribute("kernel_shape", Ints{3, 3}), attribute("pads", Ints{1, 1, 1, 1})});
  CHECK(overwritable(model.output("y")) == "");
}

TEST_CASE("overwritable: a split that computes some points twice does not store each element once") {
  const auto by = [](int factor, Tail tail) {
    return [=](Func& y, const Var& j, const Var& outer, const Var& inner) {
      y.split(j, outer, inner, factor, tail);
    };
  };
  CHECK(is_stored_once(7, [](Func&, const Var&, const Var&, const Var&) {}));
  CHECK(is_stored_once(8, by(4, Tail::ShiftInwards)));
  CHECK(is_stored_once(8, by(4, Tail::Exact)));
  CHECK(is_stored_once(7, by(4, Tail::Guard)));
  CHECK_FALSE(is_stored_once(7, by(4, Tail::ShiftInwards)));
  // The extent that counts is that of the split axis.
  CHECK_FALSE(is_stored_once(24, [](Func& y, const Var& j, const Var& outer, const Var& inner) {
    const Var rest("rest"), lane("lane");
    y.split(j, outer, inner, 6, Tail::Exact).split(inner, rest, lane, 4, Tail::ShiftInwards);
  }));
}
