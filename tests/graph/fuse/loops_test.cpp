// Tensors of loops: which they are, in which order they are computed, and where they lie.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/fuse/fuse.h"
#include "graph/fuse/gather_loops.h"
#include "graph/rewrite/eliminate_common_tensors.h"
#include "graph/rewrite/simplify_graph.h"
#include "graph/stages/find_loops.h"
#include "graph/store/place_loops.h"
#include "graph/views/choose_layouts.h"
#include "support/after_pass.h"
#include "support/definitions.h"
#include "support/onnx_bodies.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using tensordsl::testing::groups_after;
using testing::add_node;
using testing::attribute;
using testing::body;
using testing::definitions_of;
using testing::Ints;
using testing::Names;
using testing::OnnxModel;

namespace {

using Fill = std::function<void(::onnx::GraphProto&)>;

/// A Scan over x [length, 2] that carries h from start, with `fill` in a step: of h and row to next.
OnnxModel scan(const Names& outputs, const Fill& fill) {
  OnnxModel model;
  model.input("x", {1, 2}).input("start", {2}).input("w", {2});
  model.name_dim(0, 0, "length");
  model.node("Scan", {"start", "x"}, {"last", "all"},
             {body("body", {"h", "row"}, outputs, fill), attribute("num_scan_inputs", 1)});
  return model.output("last").output("all");
}

void add_row(::onnx::GraphProto& graph) { add_node(graph, "Add", {"h", "row"}, {"next"}); }

/// "a {0}, b {}" of the tensors that are computed.
std::string loops_of(const DefinitionGraph& graph) {
  const auto loops = find_loops(graph);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (!graph.tensors[i].func.is_input())
      texts.push_back(fmt::format("{} {{{}}}", graph.tensors[i].name, fmt::join(loops[i], ",")));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

TEST_CASE("loops: a tensor is in a loop if it depends on a step, or is handed on") {
  const DefinitionGraph graph = after<simplify_graph>(definitions_of(scan({"next", "next"}, add_row)));
  CHECK(loops_of(graph) == "last.now.begin {}, last.element {0}, last.next {0}, last.next.row {0}");
}

TEST_CASE("loops: what no step changes is computed once") {
  const DefinitionGraph graph =
      after<simplify_graph>(definitions_of(scan({"next", "y"}, [](::onnx::GraphProto& step) {
        add_node(step, "Exp", {"w"}, {"scale"});
        add_node(step, "Add", {"h", "row"}, {"next"});
        add_node(step, "Mul", {"next", "scale"}, {"y"});
      })));
  CHECK(loops_of(graph) ==
        "last.now.begin {}, last.element {0}, last.scale {}, last.next {0}, last.y {0}, last.y.row {0}");
}

TEST_CASE("loops: what a loop hands on is neither another tensor's name nor merged with an equal one") {
  OnnxModel model;
  model.input("x", {1, 2}).input("start", {2});
  model.name_dim(0, 0, "length");
  const auto step = body("body", {"a", "b", "row"}, {"c", "d"}, [](::onnx::GraphProto& graph) {
    add_node(graph, "Add", {"b", "row"}, {"c"});
    add_node(graph, "Identity", {"a"}, {"d"});
  });
  model.node("Scan", {"start", "start", "x"}, {"first", "second"}, {step, attribute("num_scan_inputs", 1)});
  DefinitionGraph graph = after<simplify_graph>(definitions_of(model.output("first").output("second")));
  graph = after<eliminate_common_tensors>(std::move(graph));
  REQUIRE(graph.loops.size() == 1);
  const auto& carried = graph.loops[0].carried;
  REQUIRE(carried.size() == 2);
  CHECK(carried[0].begin != carried[1].begin);
  CHECK(graph.tensors[carried[1].next].name == "first.d");
  CHECK(graph.is_handed_on(carried[1].next));
}

TEST_CASE("loops: what only a dead output needs goes, and a loop without outputs too") {
  OnnxModel model = scan({"next", "next"}, add_row);
  model.proto.mutable_graph()->mutable_output()->RemoveLast();
  CHECK(loops_of(after<simplify_graph>(definitions_of(model))) ==
        "last.now.begin {}, last.element {0}, last.next {0}");
  model.proto.mutable_graph()->mutable_output()->RemoveLast();
  model.node("Exp", {"w"}, {"y"}).output("y");
  const DefinitionGraph graph = after<simplify_graph>(definitions_of(model));
  CHECK(loops_of(graph) == "y {}");
  CHECK(graph.loops.empty());
}

TEST_CASE("loops: groups of a loop are together, behind what they read and before what reads them") {
  OnnxModel model = scan({"next", "y"}, [](::onnx::GraphProto& step) {
    add_node(step, "Add", {"h", "row"}, {"next"});
    add_node(step, "ReduceSum", {"w"}, {"scale"});
    add_node(step, "Mul", {"next", "scale"}, {"y"});
  });
  model.node("Neg", {"last"}, {"behind"}).output("behind");
  const DefinitionGraph graph = after<simplify_graph>(definitions_of(model));
  std::vector<std::string> order;
  for (const FusedGroup& group : groups_after<gather_loops>(graph, groups_after<fuse>(graph)))
    order.push_back(graph.tensors[group.stored_tensors[0]].name);
  CHECK(fmt::format("{}", fmt::join(order, ", ")) ==
        "last.now.begin, last.scale, last.next, last.y, last.y.row, behind");
}

TEST_CASE("loops: values lie where they lay before the loop, and rows in what they are rows of") {
  const DefinitionGraph graph = after<simplify_graph>(definitions_of(scan({"next", "next"}, add_row)));
  std::vector<Layout> layouts = choose_layouts(graph);
  std::string text;
  for (const auto& [part, whole] : place_loops(graph, layouts)) {
    text += fmt::format(
        "{} in {}: {}\n", graph.tensors[part].name, graph.tensors[whole].name,
        layouts[part].to_string(graph.tensors[part].func.rank() == 1 ? std::vector<std::string>{"i"}
                                                                     : std::vector<std::string>{"s", "i"}));
  }
  CHECK(text ==
        "last.now in last.now.begin: i\n"
        "last.next.row in all: last_step.count+s i\n"
        "last in last.now.begin: i\n");
}
