// Sums that an attention computes in addition to its average.
#include "graph/fuse/fuse_producers.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "graph/attention/fuse_attention.h"
#include "graph/fuse/fuse.h"
#include "graph/rewrite/simplify_graph.h"
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

/// "Conv+MatMul+Softmax+MatMul+Add -> y", a line for each group.
std::string groups(const OnnxModel& model, bool as_one = true) {
  DefinitionGraph graph = after<simplify_graph>(definitions_of(model));
  if (as_one) graph = after<fuse_attention>(std::move(graph), Target());
  graph = after<fold_views>(std::move(graph));
  std::string all;
  for (const FusedGroup& group : groups_after<fuse_producers>(graph, groups_after<fuse>(graph)))
    all += fmt::format("{} -> {}\n", group.label, graph.tensors[group.stored_tensors.at(0)].name);
  return all;
}

/// The average a[2, 12, 5] of v, and its convolution, c[2, 12, 5] over pictures of 4 x 3, by `size` taps each
/// way.
OnnxModel average(std::int64_t size) {
  OnnxModel model;
  model.input("q", {2, 12, 5}).input("k", {2, 5, 12}).input("v", {2, 12, 5});
  model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"}).node("MatMul", {"w", "v"}, {"a"});
  model.ints("picture", {4}, {2, 4, 3, 5}).ints("rows", {3}, {2, 12, 5});
  model.node("Reshape", {"v", "picture"}, {"v4"});
  model.node("Transpose", {"v4"}, {"p"}, {attribute("perm", Ints{0, 3, 1, 2})});
  const std::int64_t border = size / 2;
  model.floats("taps", {5, 1, size, size}, std::vector<float>(static_cast<std::size_t>(5 * size * size), 1));
  model.node("Conv", {"p", "taps"}, {"c4"},
             {attribute("group", 5), attribute("pads", Ints{border, border, border, border})});
  model.node("Transpose", {"c4"}, {"ct"}, {attribute("perm", Ints{0, 2, 3, 1})});
  return model.node("Reshape", {"ct", "rows"}, {"c"});
}

}  // namespace

TEST_CASE("sums beside an average: a depthwise convolution of the values is in attention's kernel") {
  OnnxModel model = average(3);
  model.node("Add", {"a", "c"}, {"y"}).output("y");
  CHECK(groups(model) == "Conv+MatMul+Softmax+MatMul+Add -> y\n");
}

TEST_CASE("sums beside an average: many terms, what others read, and other readers stay apart") {
  OnnxModel many = average(7);
  CHECK(groups(many.node("Add", {"a", "c"}, {"y"}).output("y")) ==
        "Conv -> c4\nMatMul+Softmax+MatMul+Add -> y\n");
  OnnxModel shared = average(3);
  shared.node("Add", {"a", "c"}, {"y"}).node("Softmax", {"c4"}, {"z"}).output("y").output("z");
  CHECK(groups(shared) == "Conv -> c4\nMatMul+Softmax+MatMul+Add -> y\nSoftmax -> z\n");
  OnnxModel apart = average(3);
  CHECK(groups(apart.node("Add", {"a", "c"}, {"y"}).output("y"), false) ==
        "MatMul -> s\nSoftmax -> w\nConv -> c4\nMatMul+Add -> y\n");
}

TEST_CASE("sums beside an average: one that is repeated is stored") {
  OnnxModel model = average(3);
  model.node("ReduceMean", {"c"}, {"m"}, {attribute("axes", Ints{0})});
  model.node("Add", {"a", "m"}, {"y"}).output("y");
  CHECK(groups(model).find("Conv+MatMul") == std::string::npos);
}
