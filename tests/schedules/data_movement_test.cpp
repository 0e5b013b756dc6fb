// Tests the default vectors of element-wise operators.
#include "schedules/pointwise/data_movement.h"

#include <doctest/doctest.h>

#include "graph/fuse/fuse.h"
#include "graph/rewrite/simplify_graph.h"
#include "graph/schedule/define_group.h"
#include "graph/views/choose_layouts.h"
#include "support/after_pass.h"
#include "support/definitions.h"

namespace tensordsl::schedules {

using namespace graph;
using testing::after;
using testing::groups_after;

namespace {

/// Returns the lanes when a bias is added to rows of `width` elements.
int lanes_of_rows(std::int64_t width, const Target& target) {
  testing::OnnxModel model;
  model.input("x", {7, width}).input("bias", {width}).node("Add", {"x", "bias"}, {"y"}).output("y");
  const definitions::DefinitionGraph graph = after<simplify_graph>(testing::definitions_of(model));
  const auto groups = groups_after<fuse>(graph);
  REQUIRE(groups.size() == 1);
  const definitions::StoredGroup group =
      define_group(graph, definitions::TensorFuncs(graph), groups[0], Precision::Float32);
  return data_movement_space(with_layouts(group, choose_layouts(graph)), target).first["lanes"];
}

TEST_CASE(
    "layout transformation: on a CPU rows are whole vectors and a rest; rows shorter than one are parts of "
    "it") {
  Target cpu;
  cpu.vector_width = 16;
  cpu.group_items = 1;
  for (const auto& [width, lanes] :
       {std::pair(64, 16), {35, 16}, {17, 16}, {16, 16}, {12, 4}, {8, 8}, {7, 1}})
    CHECK_MESSAGE(lanes_of_rows(width, cpu) == lanes, width);
}

TEST_CASE("layout transformation: where work-items lie side by side, a row has no rest") {
  Target gpu;
  gpu.vector_width = 4;
  gpu.group_items = 64;
  for (const auto& [width, lanes] : {std::pair(64, 4), {54, 2}, {35, 1}, {3, 1}})
    CHECK_MESSAGE(lanes_of_rows(width, gpu) == lanes, width);
}

}  // namespace
}  // namespace tensordsl::schedules
