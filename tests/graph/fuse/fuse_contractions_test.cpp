// Tests which sums are fused with the products that contract them.
#include "graph/fuse/fuse_contractions.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "graph/fuse/fuse.h"
#include "graph/rewrite/simplify_graph.h"
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

/// Work-items of a group, 1 on a CPU.
Target of_items(int items) {
  Target target;
  target.group_items = items;
  return target;
}

/// "Conv+Relu -> y", a line for each group.
std::string chains(const OnnxModel& model, const Target& target = of_items(1)) {
  const DefinitionGraph graph = after<simplify_graph>(definitions_of(model));
  std::string all;
  for (const FusedGroup& group : groups_after<fuse_contractions>(graph, groups_after<fuse>(graph), target))
    all += fmt::format("{} -> {}\n", group.label, graph.tensors[group.stored_tensors.at(0)].name);
  return all;
}

std::vector<float> ones(std::int64_t count) { return std::vector<float>(static_cast<std::size_t>(count), 1); }

/// The mean m of x, then r of 4 channels and g of as many as x.
OnnxModel excitation(const Ints& x) {
  OnnxModel model;
  const std::int64_t channels = x[1];
  model.input("x", x).node("GlobalAveragePool", {"x"}, {"m"});
  model.floats("a", {4, channels, 1, 1}, ones(4 * channels));
  model.floats("b", {channels, 4, 1, 1}, ones(4 * channels));
  model.node("Conv", {"m", "a"}, {"c"}).node("Relu", {"c"}, {"r"}).node("Conv", {"r", "b"}, {"d"});
  return model.node("Sigmoid", {"d"}, {"g"});
}

}  // namespace

TEST_CASE("chains: a mean and the products behind it are one group, what scales the picture another") {
  OnnxModel model = excitation({2, 8, 5, 5});
  model.node("Mul", {"x", "g"}, {"y"}).output("y");
  CHECK(chains(model) == "GlobalAveragePool+Conv+Relu+Conv+Sigmoid -> g\nMul -> y\n");
}

TEST_CASE("chains: what others read, or the host, is stored") {
  OnnxModel output = excitation({1, 8, 5, 5});
  CHECK(chains(output.output("g").output("r")) == "GlobalAveragePool+Conv+Relu -> r\nConv+Sigmoid -> g\n");
  OnnxModel shared = excitation({1, 8, 5, 5});
  shared.node("Neg", {"r"}, {"n"}).output("g").output("n");
  CHECK(chains(shared) == "GlobalAveragePool+Conv+Relu -> r\nConv+Sigmoid -> g\nNeg -> n\n");
}

TEST_CASE("chains: much work, and many elements, are spread over work-groups") {
  OnnxModel much = excitation({1, 8, 300, 300});
  CHECK(chains(much.output("g")) == "GlobalAveragePool -> m\nConv+Relu+Conv+Sigmoid -> g\n");
  OnnxModel wide = excitation({1, 5000, 2, 2});
  CHECK(chains(wide.output("g")) == "GlobalAveragePool -> m\nConv+Relu+Conv+Sigmoid -> g\n");
  OnnxModel open = excitation({1, 8, 5, 5});
  open.name_dim(0, 2, "rows");
  CHECK(chains(open.output("g")).starts_with("GlobalAveragePool -> m\n"));
}

TEST_CASE("chains: where a work-group has items, it adds up less than many groups would") {
  OnnxModel few = excitation({1, 8, 5, 5}), more = excitation({1, 8, 20, 20});
  CHECK(chains(few.output("g"), of_items(64)) == "GlobalAveragePool+Conv+Relu+Conv+Sigmoid -> g\n");
  CHECK(chains(more.output("g"), of_items(32)) == "GlobalAveragePool -> m\nConv+Relu+Conv+Sigmoid -> g\n");
}

TEST_CASE("chains: what takes two sums for each row, as a normalization, begins none") {
  OnnxModel model;
  model.input("x", {3, 8})
      .floats("s", {8}, ones(8))
      .floats("a", {8, 16}, ones(128))
      .floats("b", {16, 8}, ones(128));
  model.node("LayerNormalization", {"x", "s"}, {"n"})
      .node("MatMul", {"n", "a"}, {"p"})
      .node("Relu", {"p"}, {"r"});
  model.node("MatMul", {"r", "b"}, {"y"}).output("y");
  CHECK(chains(model) == "LayerNormalization -> n\nMatMul+Relu+MatMul -> y\n");
}

TEST_CASE("chains: windows, and rows that would be computed again, are none") {
  OnnxModel windows;
  windows.input("x", {1, 4, 6, 6}).floats("a", {4, 4, 3, 3}, ones(144)).floats("b", {4, 4, 1, 1}, ones(16));
  windows.node("Conv", {"x", "a"}, {"c"}).node("Conv", {"c", "b"}, {"y"}).output("y");
  CHECK(chains(windows) == "Conv -> c\nConv -> y\n");
  OnnxModel pixels;
  pixels.input("x", {1, 4, 6, 6}).floats("a", {4, 4, 1, 1}, ones(16)).floats("b", {4, 4, 3, 3}, ones(144));
  pixels.node("Conv", {"x", "a"}, {"c"}).node("Conv", {"c", "b"}, {"y"}).output("y");
  CHECK(chains(pixels) == "Conv -> c\nConv -> y\n");
}

TEST_CASE("chains: many rows share what they read of constants, each by itself") {
  const auto rows = [](std::int64_t count) {
    OnnxModel model;
    model.input("x", {count, 4}).floats("a", {4, 6}, ones(24)).floats("b", {6, 3}, ones(18));
    return model.node("MatMul", {"x", "a"}, {"p"}).node("MatMul", {"p", "b"}, {"y"}).output("y");
  };
  CHECK(chains(rows(8)) == "MatMul+MatMul -> y\n");
  CHECK(chains(rows(9)) == "MatMul -> p\nMatMul -> y\n");
}

TEST_CASE("chains: a product of two tensors that are both computed is none") {
  OnnxModel model;
  model.input("x", {1, 4, 3}).input("z", {1, 3, 5}).input("u", {1, 5, 2});
  model.node("MatMul", {"x", "z"}, {"a"}).node("MatMul", {"a", "u"}, {"y"}).output("y");
  CHECK(chains(model) == "MatMul -> a\nMatMul -> y\n");
}
