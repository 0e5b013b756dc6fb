// States that grow where they lie.
#include "graph/store/place_states.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "graph/fuse/fuse.h"
#include "graph/rewrite/simplify_graph.h"
#include "graph/views/choose_layouts.h"
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

/// past [2, 3, past, 4] and x [2, 3, new, 4]
OnnxModel with_past() {
  OnnxModel m;
  m.input("past", {2, 3, 1, 4}).input("x", {2, 3, 1, 4});
  return m.name_dim(0, 2, "past_size").name_dim(1, 2, "new");
}

/// "a of y: t n h d", a line for each tensor in another one's memory, and the layout of output 0.
std::string states(const OnnxModel& model, int axis = 2) {
  DefinitionGraph graph = after<simplify_graph>(definitions_of(model));
  graph.states = {{0, 0, axis}};
  std::vector<Layout> layouts = choose_layouts(graph);
  const std::vector<std::string> dims{"n", "h", "t", "d"};
  std::string all;
  for (const auto& [part, whole] : place_states(graph, groups_after<fuse>(graph), layouts)) {
    all += fmt::format("{} of {}: {}\n", graph.tensors[part].name, graph.tensors[whole].name,
                       layouts[part].to_string(dims));
  }
  return all + layouts[graph.outputs[0].tensor].to_string(dims);
}

}  // namespace

TEST_CASE("place states: what is new is computed behind what is there") {
  OnnxModel m = with_past();
  m.node("Relu", {"x"}, {"added"}).node("Concat", {"past", "added"}, {"y"}, {attribute("axis", 2)});
  CHECK(states(m.output("y")) ==
        "past of y: t n h d\n"
        "added of y: past_size+t n h d\n"
        "t n h d");
}

TEST_CASE("place states: what is no end behind the state is computed as it is") {
  OnnxModel before = with_past();
  before.node("Relu", {"x"}, {"added"}).node("Concat", {"added", "past"}, {"y"}, {attribute("axis", 2)});
  CHECK(states(before.output("y")) == "n h t d");
  OnnxModel three = with_past();
  three.node("Relu", {"x"}, {"added"}).node("Neg", {"x"}, {"more"});
  three.node("Concat", {"past", "added", "more"}, {"y"}, {attribute("axis", 2)});
  CHECK(states(three.output("y")) == "n h t d");
  OnnxModel changed = with_past();
  changed.node("Relu", {"x"}, {"added"}).node("Neg", {"past"}, {"other"});
  changed.node("Concat", {"other", "added"}, {"y"}, {attribute("axis", 2)});
  CHECK(states(changed.output("y")) == "n h t d");
}

TEST_CASE("place states: what has a place of its own is copied") {
  OnnxModel input = with_past();
  CHECK(states(input.node("Concat", {"past", "x"}, {"y"}, {attribute("axis", 2)}).output("y")) == "n h t d");
  OnnxModel output = with_past();
  output.node("Relu", {"x"}, {"added"}).node("Concat", {"past", "added"}, {"y"}, {attribute("axis", 2)});
  CHECK(states(output.output("y").output("added")) == "n h t d");
  OnnxModel read = with_past();
  read.node("Relu", {"x"}, {"added"}).node("Concat", {"past", "added"}, {"y"}, {attribute("axis", 2)});
  CHECK(states(read.output("y").output("past")) == "n h t d");
}
