// Constants that are one number.
#include "graph/rewrite/propagate_scalars.h"

#include <doctest/doctest.h>

#include <random>

#include "support/after_pass.h"
#include "support/definitions.h"
#include "support/graph_values.h"
#include "support/random_graph.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::after;
using testing::definitions_of;
using testing::OnnxModel;

namespace {

DefinitionGraph baked(const OnnxModel& model) {
  return testing::after_pass(model,
                             [](const DefinitionGraph& graph) { return after<propagate_scalars>(graph); });
}

/// A line for each Func.
std::string funcs_of(const DefinitionGraph& graph) {
  std::string all;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    for (const Func& func : TensorFuncs(graph).funcs_of(i)) all += testing::text(func);
  }
  return all;
}

std::string funcs_of(const OnnxModel& model) { return funcs_of(baked(model)); }

}  // namespace

TEST_CASE("constants: one number is in the definitions that read it, whatever its shape") {
  OnnxModel model;
  model.input("x", {2, 3}).floats("k", {}, {0.5F}).floats("b", {1, 1}, {-3}).node("Mul", {"x", "k"}, {"a"});
  const DefinitionGraph graph = baked(model.node("Add", {"a", "b"}, {"y"}).output("y"));
  CHECK(funcs_of(graph) ==
        "mul_3(d0, d1) = t0(d0, d1):f32*0.5\n"
        "add_4(d0, d1) = mul_3(d0, d1):f32 + -3.0\n");
  CHECK(graph.tensors.size() == 3);
}

TEST_CASE("constants: elements that are all equal are that number") {
  OnnxModel model;
  model.input("x", {2, 3}).floats("k", {3}, {2, 2, 2}).floats("b", {2, 3}, testing::Floats(6, 0));
  model.node("Mul", {"x", "k"}, {"a"}).node("Add", {"a", "b"}, {"y"}).output("y");
  CHECK(funcs_of(model) ==
        "mul_3(d0, d1) = t0(d0, d1):f32*2.0\n"
        "add_4(d0, d1) = mul_3(d0, d1):f32 + 0.0\n");
}

TEST_CASE("constants: one element that differs, a zero of the other sign too, has them stay") {
  for (const testing::Floats& values : {testing::Floats{2, 2, 3}, {3, 2, 2}, {0, 0, -0.0F}}) {
    OnnxModel model;
    model.input("x", {2, 3}).floats("k", {3}, values).node("Mul", {"x", "k"}, {"y"}).output("y");
    CHECK(funcs_of(model) == "mul_2(d0, d1) = t0(d0, d1):f32*t1(d1):f32\n");
  }
}

TEST_CASE("constants: integers and booleans are numbers as floats are") {
  OnnxModel model;
  auto& mask =
      model.input("x", {3}).ints("k", {3}, {7, 7, 7}).initializer("m", {3}, ::onnx::TensorProto::BOOL);
  for (int i = 0; i < 3; ++i) mask.add_int32_data(1);
  model.floats("z", {1}, {0}).node("Where", {"m", "x", "z"}, {"a"});
  model.node("Cast", {"a"}, {"i"}, {testing::attribute("to", ::onnx::TensorProto::INT64)});
  model.node("Add", {"i", "k"}, {"y"}).output("y");
  const std::string text = funcs_of(model);
  CHECK(text.find("select(true, t0(d0):f32, 0.0)") != std::string::npos);
  CHECK_MESSAGE(text.find(" + 7") != std::string::npos, text);
}

TEST_CASE("constants: weights of a sum of products stay, also if they are equal; its bias does not") {
  OnnxModel model;
  model.input("x", {1, 2, 4, 4}).floats("w", {3, 2, 1, 1}, testing::Floats(6, 1)).floats("b", {3}, {4, 4, 4});
  model.node("Conv", {"x", "w", "b"}, {"y"}).output("y");
  const std::string text = funcs_of(model);
  CHECK(text.find("*t2(c, r_2, r_0, r_1):f32") != std::string::npos);
  CHECK(text.find("conv_3_sum(n, c, h, w):f32 + 4.0") != std::string::npos);
}

TEST_CASE("constants: one that is an output is given, too") {
  OnnxModel model;
  model.input("x", {3}).floats("k", {3}, {2, 2, 2}).node("Mul", {"x", "k"}, {"y"}).output("y").output("k");
  const DefinitionGraph graph = baked(model);
  CHECK(funcs_of(graph) == "mul_2(d0) = t0(d0):f32*2.0\n");
  CHECK(graph.tensors.at(graph.outputs.at(1).tensor).constant);
}

TEST_CASE("constants: what elements are is noted, of more than one") {
  OnnxModel model;
  model.input("x", {3}).floats("k", {3}, {2, 2, 2}).floats("s", {}, {3}).node("Mul", {"x", "k"}, {"a"});
  model.node("Add", {"a", "s"}, {"y"}).output("y");
  PassNotes notes;
  after<propagate_scalars>(definitions_of(model), &notes);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].tensor == "k");
  CHECK(notes[0].text == "is 2.0 everywhere");
}

TEST_CASE("constants: of 200 random models none computes anything else") {
  std::mt19937 random(37);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    baked(testing::RandomGraph(random, 8).model());
  }
}
