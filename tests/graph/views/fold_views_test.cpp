// Layout transformations that go into the indices of their readers.
#include "graph/views/fold_views.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "graph/rewrite/simplify_graph.h"
#include "support/after_pass.h"
#include "support/definitions.h"
#include "support/graph_values.h"
#include "support/random_graph.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;

namespace {

/// "y = Mul: value", a line for each tensor that is computed.
std::string eliminated(const OnnxModel& model, const std::set<std::string>& kept = {}) {
  const DefinitionGraph graph = after<fold_views>(after<simplify_graph>(definitions_of(model)), kept);
  std::string all;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (!tensor.func.is_input()) all += fmt::format("{} {}", tensor.origin.kind, testing::text(tensor.func));
  }
  return all;
}

/// x[5, 24] -> its middle third as [2, 5, 4], the queries of an attention
OnnxModel heads() {
  OnnxModel model;
  model.input("x", {5, 24}).ints("begin", {1}, {8}).ints("end", {1}, {16}).ints("axis", {1}, {1});
  model.node("Slice", {"x", "begin", "end", "axis"}, {"s"}).ints("shape", {3}, {5, 2, 4});
  model.node("Reshape", {"s", "shape"}, {"r"});
  model.node("Transpose", {"r"}, {"t"}, {attribute("perm", Ints{1, 0, 2})});
  return model;
}

/// t[6, 5, 2, 2], the squares of a picture of 4 x 6 whose pixels have 5 values, and y, a convolution of it.
OnnxModel cut_picture() {
  OnnxModel model;
  model.input("x", {24, 5}).ints("cut", {6}, {2, 2, 3, 2, 5, 1}).ints("squares", {4}, {6, 2, 2, 5});
  model.node("Reshape", {"x", "cut"}, {"c"});
  model.node("Transpose", {"c"}, {"s"}, {attribute("perm", Ints{0, 2, 1, 3, 4, 5})});
  model.node("Reshape", {"s", "squares"}, {"r"});
  model.node("Transpose", {"r"}, {"t"}, {attribute("perm", Ints{0, 3, 1, 2})});
  return model.floats("w", {5, 5, 1, 2}, testing::Floats(50, 1)).node("Conv", {"t", "w"}, {"y"});
}

}  // namespace

TEST_CASE("fold views: a slice, a reshape and a transpose go into the index of what reads them") {
  OnnxModel model = heads();
  model.node("Neg", {"t"}, {"y"}).output("y");
  CHECK(eliminated(model) == "Neg neg_4(d0, d1, d2) = -0.0 - t0(d1, d0*4 + d2 + 8):f32\n");
}

TEST_CASE("fold views: a contraction reads its operands where they are, as long as that runs along memory") {
  OnnxModel model = heads();
  model.input("k", {2, 4, 3}).node("MatMul", {"t", "k"}, {"y"}).output("y");
  CHECK(eliminated(model).starts_with("MatMul "));
  // Along its other axis it would read every 24th element.
  OnnxModel turned = heads();
  turned.node("Transpose", {"t"}, {"u"}, {attribute("perm", Ints{0, 2, 1})});
  turned.input("q", {2, 3, 4}).node("MatMul", {"q", "u"}, {"y"}).output("y");
  CHECK(eliminated(turned).starts_with(
      "Transpose transpose_5(d0, d1, d2) = t0(d2, d0*4 + d1 + 8):f32\nMatMul "));
}

TEST_CASE("fold views: those in a row are one, whatever reads the last") {
  OnnxModel model = heads();
  model.output("t");
  CHECK(eliminated(model) == "Transpose transpose_3(d0, d1, d2) = t0(d1, d0*4 + d2 + 8):f32\n");
}

TEST_CASE("fold views: what the host reads, and what is asked to stay, stays") {
  OnnxModel output = heads();
  output.node("Neg", {"t"}, {"y"}).output("y").output("t");
  CHECK(eliminated(output).find("= -0.0 - transpose_3(d0, d1, d2)") != std::string::npos);
  OnnxModel kept = heads();
  kept.node("Neg", {"t"}, {"y"}).output("y");
  CHECK(eliminated(kept, {"Transpose"}).find("\nTranspose ") != std::string::npos);
}

TEST_CASE("fold views: windows slide over what is moved where no index is cut for that") {
  OnnxModel turned;
  turned.input("x", {1, 4, 6, 2}).node("Transpose", {"x"}, {"t"}, {attribute("perm", Ints{0, 3, 1, 2})});
  turned.floats("w", {2, 2, 3, 3}, testing::Floats(36, 1));
  turned.node("Conv", {"t", "w"}, {"y"}, {attribute("pads", Ints{1, 1, 1, 1})}).output("y");
  CHECK(eliminated(turned).find("Transpose") == std::string::npos);
  CHECK(eliminated(cut_picture().output("y")).starts_with("Transpose "));
}

TEST_CASE("fold views: along memory is along channels where those lie last") {
  OnnxModel model;
  model.input("x", {1, 4, 6, 5}).floats("w", {4, 4, 3, 3}, testing::Floats(144, 1));
  model.node("Conv", {"x", "w"}, {"c"})
      .node("Transpose", {"c"}, {"t"}, {attribute("perm", Ints{0, 2, 3, 1})});
  CHECK(eliminated(model.node("Neg", {"t"}, {"y"}).output("y")).find("Transpose") == std::string::npos);
}

TEST_CASE("fold views: a reshape alone is left to be another name of its memory") {
  OnnxModel model;
  model.input("x", {6, 4}).node("Relu", {"x"}, {"a"}).ints("shape", {3}, {2, 3, 4});
  model.node("Reshape", {"a", "shape"}, {"r"}).node("Neg", {"r"}, {"y"}).output("y");
  CHECK(eliminated(model).find("\nReshape ") != std::string::npos);
}

TEST_CASE("fold views: one that some reader needs is there for all") {
  OnnxModel model = heads();
  model.node("Neg", {"t"}, {"y"}).node("Transpose", {"t"}, {"u"}, {attribute("perm", Ints{0, 2, 1})});
  model.output("y").output("u");
  CHECK(eliminated(model) ==
        "Neg neg_4(d0, d1, d2) = -0.0 - t0(d1, d0*4 + d2 + 8):f32\n"
        "Transpose transpose_5(d0, d1, d2) = t0(d2, d0*4 + d1 + 8):f32\n");
  OnnxModel with_windows = cut_picture();
  with_windows.node("Neg", {"t"}, {"z"}).output("y").output("z");
  CHECK(eliminated(with_windows).find(" = -0.0 - transpose_") != std::string::npos);
}

TEST_CASE("fold views: of 300 random models none computes anything else") {
  std::mt19937 random(17);
  std::size_t before = 0, left = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const DefinitionGraph graph =
        after<simplify_graph>(definitions_of(testing::RandomGraph(random, 8).model()));
    const DefinitionGraph without = after<fold_views>(graph);
    before += graph.tensors.size();
    left += without.tensors.size();
    REQUIRE(testing::values_of(without) == testing::values_of(graph));
  }
  CHECK(left < before);
}
