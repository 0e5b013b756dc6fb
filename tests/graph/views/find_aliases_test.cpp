// Tensors that are other names for memory.
#include "graph/views/find_aliases.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "graph/fuse/fuse.h"
#include "graph/planned_model.h"
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

/// "y is x", a line for each alias.
std::string aliases(const OnnxModel& model) {
  const DefinitionGraph graph = definitions_of(model);
  std::string all;
  for (const auto& [tensor, source] :
       find_aliases(graph, groups_after<fuse>(graph), choose_layouts(graph)).sources)
    all += fmt::format("{} is {}\n", graph.tensors[tensor].name, graph.tensors[source].name);
  return all;
}

OnnxModel reshape(const Ints& from, const Ints& to) {
  OnnxModel model;
  model.input("x", from).ints("shape", {static_cast<std::int64_t>(to.size())}, to);
  return model.node("Reshape", {"x", "shape"}, {"y"}).output("y");
}

/// A reshape of a pooled tensor.
OnnxModel reshape_pooled(const Ints& from, const Ints& to) {
  OnnxModel model;
  model.input("x", from).ints("shape", {static_cast<std::int64_t>(to.size())}, to);
  model.node("MaxPool", {"x"}, {"p"},
             {attribute("kernel_shape", Ints{3, 3}), attribute("pads", Ints{1, 1, 1, 1})});
  return model.node("Reshape", {"p", "shape"}, {"y"}).output("y");
}

}  // namespace

TEST_CASE("aliases: a reshape that leaves every element in its place in memory needs no kernel") {
  CHECK(aliases(reshape({2, 6}, {3, 4})) == "y is x\n");
  CHECK(aliases(reshape({1, 1000, 1, 1}, {1, 1000})) == "y is x\n");
}

TEST_CASE("aliases: channels last in memory, a reshape of rows and columns moves elements") {
  CHECK(aliases(reshape_pooled({1, 3, 4, 4}, {1, 48})) == "");
  CHECK(aliases(reshape_pooled({1, 1, 4, 4}, {1, 16})) == "y is p\n");
  CHECK(aliases(reshape({1, 3, 4, 4}, {1, 48})) == "y is x\n");
}

TEST_CASE("aliases: a transpose of dimensions of one element is one, of others not") {
  OnnxModel units;
  units.input("x", {4, 1, 5}).node("Transpose", {"x"}, {"y"}, {attribute("perm", Ints{1, 0, 2})}).output("y");
  CHECK(aliases(units) == "y is x\n");
  OnnxModel square;
  square.input("x", {4, 4}).node("Transpose", {"x"}, {"y"}, {attribute("perm", Ints{1, 0})}).output("y");
  CHECK(aliases(square) == "");
}

TEST_CASE("aliases: what is applied behind it makes it a kernel") {
  OnnxModel model = reshape({2, 6}, {3, 4});
  model.proto.mutable_graph()->clear_output();
  CHECK(aliases(model.node("Relu", {"y"}, {"z"}).output("z")) == "");
}

namespace {

/// "t is in y; p is in t", whose memory each tensor is in that has none of its own.
std::string places(const OnnxModel& model) {
  const testing::PlannedModel plan(model);
  std::string all;
  for (const auto& [tensor, owner] : plan.storage.within)
    all += fmt::format("{}{} is in {}", all.empty() ? "" : "; ", plan.graph.tensors[tensor].name,
                       plan.graph.tensors[owner].name);
  return all;
}

/// c[1, 4, 6, 6], channels last in memory, and t[1, 6, 6, 4] of it.
OnnxModel convolution() {
  OnnxModel model;
  model.input("x", {1, 3, 8, 8}).floats("w", {4, 3, 3, 3}, testing::Floats(108, 1));
  model.node("Conv", {"x", "w"}, {"c"});
  return model.node("Transpose", {"c"}, {"t"}, {attribute("perm", Ints{0, 2, 3, 1})});
}

}  // namespace

TEST_CASE("aliases: what an output is moved from lies in its memory, and needs no kernel to move it") {
  CHECK(places(convolution().output("t")) == "c is in t");
  OnnxModel read = convolution();
  CHECK(places(read.node("MaxPool", {"c"}, {"m"}, {attribute("kernel_shape", Ints{2, 2})})
                   .output("m")
                   .output("t")) == "c is in t");
  OnnxModel reshaped = convolution();
  reshaped.ints("shape", {2}, {36, 4}).node("Reshape", {"t", "shape"}, {"y"}).output("y");
  CHECK(places(reshaped) == "c is in y");
}

TEST_CASE(
    "aliases: an output that what it is moved from cannot lie in, as that has a place, needs a kernel") {
  CHECK(places(convolution().output("t").output("c")).empty());
  OnnxModel twice = convolution();
  twice.ints("shape", {2}, {36, 4}).node("Reshape", {"t", "shape"}, {"y"});
  CHECK(places(twice.output("t").output("y")) == "c is in t; y is in c");
  OnnxModel turned = convolution();
  turned.node("Transpose", {"c"}, {"u"}, {attribute("perm", Ints{0, 3, 2, 1})});
  CHECK(places(turned.output("t").output("u")) == "c is in t");
}
