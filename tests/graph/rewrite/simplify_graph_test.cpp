// Graphs without tensors that are other tensors.
#include "graph/rewrite/simplify_graph.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/after_pass.h"
#include "support/definitions.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// The tensors that are computed, with what they read, and the outputs.
std::string simplified(const OnnxModel& model) {
  const DefinitionGraph graph = after<simplify_graph>(definitions_of(model));
  const TensorFuncs funcs(graph);
  std::string all;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (graph.tensors[i].func.is_input()) continue;
    all += fmt::format("{} = {}(", graph.tensors[i].name, graph.tensors[i].origin.kind);
    for (const std::size_t read : funcs.reads_of(funcs.funcs_of(i))) all += graph.tensors[read].name + ",";
    all += ")\n";
  }
  for (const DefinitionGraph::Output& output : graph.outputs)
    all += fmt::format("{} is {}\n", output.name, graph.tensors[output.tensor].name);
  return all;
}

}  // namespace

TEST_CASE("simplify: Funcs that give back what they read go, whatever operator made them") {
  OnnxModel model;
  model.input("x", {1, 2, 4, 4}).node("Identity", {"x"}, {"a"}).node("Dropout", {"a"}, {"b"});
  model.node("Transpose", {"b"}, {"c"}, {attribute("perm", Ints{0, 1, 2, 3})});
  model.ints("pads", {8}, Ints(8, 0)).node("Pad", {"c", "pads"}, {"e"});
  model.ints("shape", {4}, {0, 0, -1, 4}).node("Reshape", {"e", "shape"}, {"f"});
  model.node("Concat", {"f"}, {"g"}, {attribute("axis", 1)});
  model.node("Clip", {"g"}, {"h"}).node("Relu", {"h"}, {"y"}).output("y");
  CHECK(simplified(model) == "y = Relu(x,)\ny is y\n");
}

TEST_CASE("simplify: Funcs that do something stay") {
  OnnxModel model;
  model.input("x", {1, 4, 4, 4}).node("Transpose", {"x"}, {"a"}, {attribute("perm", Ints{0, 2, 1, 3})});
  model.node("Flatten", {"a"}, {"y"}).output("y");
  CHECK(simplified(model) == "a = Transpose(x,)\ny = Flatten(a,)\ny is y\n");
}

TEST_CASE("simplify: several outputs may be one tensor, an input too") {
  OnnxModel model;
  model.input("x", {2}).node("Relu", {"x"}, {"a"}).node("Identity", {"a"}, {"b"}).node("Neg", {"b"}, {"n"});
  model.node("Identity", {"b"}, {"y"}).node("Identity", {"x"}, {"z"});
  model.output("y").output("n").output("a").output("z");
  CHECK(simplified(model) ==
        "a = Relu(x,)\n"
        "n = Neg(a,)\n"
        "y is a\n"
        "n is n\n"
        "a is a\n"
        "z is x\n");
}

TEST_CASE("simplify: what no output needs goes, inputs stay") {
  OnnxModel model;
  model.input("x", {2})
      .input("unused", {3})
      .node("Relu", {"x"}, {"dead"})
      .node("Neg", {"x"}, {"y"})
      .output("y");
  CHECK(simplified(model) == "y = Neg(x,)\ny is y\n");
  CHECK(after<simplify_graph>(definitions_of(model)).inputs.size() == 2);
}

TEST_CASE("simplify: a second time nothing changes") {
  OnnxModel model;
  model.input("x", {1, 2, 4, 4}).floats("w", {2, 2, 1, 1}, {1, 2, 3, 4}).node("Identity", {"x"}, {"a"});
  model.node("Conv", {"a", "w"}, {"y"}).output("y");
  const DefinitionGraph once = after<simplify_graph>(definitions_of(model));
  const auto text_of = [](const DefinitionGraph& graph) {
    std::string all;
    const TensorFuncs funcs(graph);
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
      for (const Func& func : funcs.funcs_of(i)) all += testing::text(func);
    }
    return all;
  };
  const std::string text = text_of(once);
  CHECK(text.find("t0(") != std::string::npos);
  CHECK(text_of(after<simplify_graph>(once)) == text);
}
