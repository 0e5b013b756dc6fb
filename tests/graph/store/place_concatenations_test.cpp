// Concatenations whose operands are computed where they belong.
#include "graph/store/place_concatenations.h"

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

/// "a of y: n h w c+32", a line for each part.
std::string parts(const OnnxModel& model) {
  const DefinitionGraph graph = after<simplify_graph>(definitions_of(model));
  std::vector<Layout> layouts = choose_layouts(graph);
  std::string all;
  for (const auto& [part, whole] : place_concatenations(graph, groups_after<fuse>(graph), layouts)) {
    all += fmt::format("{} of {}: {}\n", graph.tensors[part].name, graph.tensors[whole].name,
                       layouts[part].to_string({"n", "c", "h", "w"}));
  }
  return all;
}

/// x -> MaxPool -> Relu -> a, x -> MaxPool -> Neg -> b, z -> MaxPool -> Abs -> d: channels last in memory
OnnxModel operands() {
  OnnxModel model;
  const auto pool = [&](const char* input, const char* output) {
    model.node("MaxPool", {input}, {output},
               {attribute("kernel_shape", Ints{3, 3}), attribute("pads", Ints{1, 1, 1, 1})});
  };
  model.input("x", {1, 2, 4, 4}).input("z", {1, 3, 4, 4});
  pool("x", "p");
  pool("z", "q");
  return model.node("Relu", {"p"}, {"a"}).node("Neg", {"p"}, {"b"}).node("Abs", {"q"}, {"d"});
}

}  // namespace

TEST_CASE("place parts: the operands of a concatenation are stored side by side") {
  OnnxModel model = operands();
  model.node("Concat", {"a", "d", "b"}, {"y"}, {attribute("axis", 1)}).output("y");
  CHECK(parts(model) ==
        "a of y: n h w c+5\n"
        "b of y: n h w 5+c\n"
        "d of y: n h w 2+c+2\n");
}

TEST_CASE("place parts: of a concatenation that is itself a part, all have their places") {
  OnnxModel model = operands();
  model.node("Concat", {"a", "b"}, {"ab"}, {attribute("axis", 1)});
  model.node("Concat", {"d", "ab"}, {"y"}, {attribute("axis", 1)}).output("y");
  CHECK(parts(model) ==
        "a of ab: n h w 3+c+2\n"
        "b of ab: n h w 5+c\n"
        "d of y: n h w c+4\n"
        "ab of y: n h w 3+c\n");
}

TEST_CASE("place parts: along another dimension rows lie behind each other") {
  OnnxModel model = operands();
  model.node("Concat", {"a", "b"}, {"y"}, {attribute("axis", 2)}).output("y");
  CHECK(parts(model) == "a of y: n h+4 w c\nb of y: n 4+h w c\n");
}

TEST_CASE("place parts: inputs, outputs and what occurs twice are copied") {
  OnnxModel input = operands();
  CHECK(parts(input.node("Concat", {"a", "x"}, {"y"}, {attribute("axis", 1)}).output("y")) == "");
  OnnxModel output = operands();
  CHECK(parts(output.node("Concat", {"a", "b"}, {"y"}, {attribute("axis", 1)}).output("y").output("b")) ==
        "");
  OnnxModel twice = operands();
  CHECK(parts(twice.node("Concat", {"a", "a"}, {"y"}, {attribute("axis", 1)}).output("y")) == "");
}

TEST_CASE("place parts: a tensor is a part once") {
  OnnxModel model = operands();
  model.node("Concat", {"a", "b"}, {"y"}, {attribute("axis", 1)});
  model.node("Concat", {"a", "d"}, {"z2"}, {attribute("axis", 1)}).output("y").output("z2");
  CHECK(parts(model) == "a of z2: n h w c+3\nd of z2: n h w 2+c\n");
}

TEST_CASE("place parts: what else moves elements, or computes as it moves them, is no concatenation") {
  OnnxModel model = operands();
  model.node("Concat", {"a", "b"}, {"c"}, {attribute("axis", 1)}).node("Relu", {"c"}, {"y"}).output("y");
  CHECK(parts(model) == "");
  OnnxModel padded = operands();
  padded.ints("pads", {8}, {0, 0, 1, 0, 0, 0, 0, 0}).node("Pad", {"a", "pads"}, {"y"}).output("y");
  CHECK(parts(padded) == "");
}

TEST_CASE("place parts: of very many parts none has a kernel of its own") {
  for (const int count : {16, 17}) {
    OnnxModel model;
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      model.input("x" + n, {1, 2, 4, 4}).node("Neg", {"x" + n}, {"y" + n});
      names.push_back("y" + n);
    }
    model.node("Concat", names, {"y"}, {attribute("axis", 1)}).output("y");
    CHECK(parts(model).empty() == (count > 16));
  }
}
