// Tests that layout transformations in a product's reads become a Func that can be staged.
#include "graph/schedule/stage_views.h"

#include <doctest/doctest.h>

#include "graph/fuse/fuse.h"
#include "graph/rewrite/simplify_graph.h"
#include "graph/schedule/define_group.h"
#include "graph/views/choose_layouts.h"
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
using testing::text;

namespace {

Target gpu() {
  Target target;
  target.has_local_memory = true;
  target.most_group_items = 256;
  return target;
}

StoredGroup staged(const OnnxModel& model, const Target& target) {
  const DefinitionGraph graph = after<fold_views>(after<simplify_graph>(definitions_of(model)));
  const auto groups = groups_after<fuse>(graph);
  REQUIRE(groups.size() == 1);
  const StoredGroup group = define_group(graph, TensorFuncs(graph), groups[0], Precision::Float32);
  return stage_views(with_layouts(group, choose_layouts(graph)), target);
}

/// A product over windows of 4x4 pixels of an image of 8x8.
OnnxModel windows() {
  OnnxModel model;
  model.input("x", {8, 8, 32}).ints("cut", {5}, {2, 4, 2, 4, 32}).ints("flat", {3}, {4, 16, 32});
  model.node("Reshape", {"x", "cut"}, {"a"});
  model.node("Transpose", {"a"}, {"b"}, {attribute("perm", Ints{0, 2, 1, 3, 4})});
  model.node("Reshape", {"b", "flat"}, {"c"}).floats("w", {32, 64}, std::vector<float>(2048, 1));
  return model.node("MatMul", {"c", "w"}, {"p"}).node("Relu", {"p"}, {"y"}).output("y");
}

bool has_moved(const StoredGroup& group) { return text(group).find("prologue") != std::string::npos; }

}  // namespace

TEST_CASE("stage views: windows of an image are a Func of the product's own dimensions") {
  const std::string found = text(staged(windows(), gpu()));
  CHECK(found.find("prologue matmul_sum_moved(d0, d1, r_0) = x0(") != std::string::npos);
  CHECK(found.find(" + matmul_sum_moved(d0, d1, r_0):f32*x1(r_0, d2):f32") != std::string::npos);
}

TEST_CASE("stage views: not where nothing is staged") {
  Target cpu = gpu();
  cpu.group_items = 1;
  CHECK(!has_moved(staged(windows(), cpu)));
  Target mobile = gpu();
  mobile.has_local_memory = false;
  CHECK(!has_moved(staged(windows(), mobile)));
}
