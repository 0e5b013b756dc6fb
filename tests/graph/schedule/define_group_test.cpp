// A group with Funcs of its own.
#include "graph/schedule/define_group.h"

#include <doctest/doctest.h>

#include "graph/fuse/fuse.h"
#include "support/after_pass.h"
#include "support/definitions.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using tensordsl::testing::groups_after;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;
using testing::text;

namespace {

StoredGroup defined(const OnnxModel& model, Precision precision = Precision::Float32, std::size_t group = 0) {
  const DefinitionGraph graph = definitions_of(model);
  return define_group(graph, TensorFuncs(graph), groups_after<fuse>(graph).at(group), precision);
}

OnnxModel padded_convolution() {
  OnnxModel model;
  model.input("x", {1, 2, 4, 4}).floats("w", {3, 2, 1, 3}, std::vector<float>(18, 1.0F));
  model.node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{0, 1, 0, 1})}).node("Relu", {"c"}, {"y"});
  return model.output("y");
}

}  // namespace

TEST_CASE("define group: names are those of what is computed, and unit axes are dropped") {
  CHECK(
      text(defined(padded_convolution())) ==
      "prologue conv_padded(b0, b1, b2, b3) = select(0 <= b3 && b3 < 4, x0(b0, b1, b2, min(max(b3, 0), 4 - "
      "1)):f32, f32(0))\n"
      "anchor conv_sum(n, c, h, w) over r_1:3 r_2:2 = conv_sum(n, c, h, w):f32 + conv_padded(n, r_2, h, w + "
      "r_1 - 1):f32*x1(c, r_2, 0, r_1):f32\n"
      "epilogue conv(n, c, h, w) = conv_sum(n, c, h, w):f32\n"
      "epilogue conv_relu(d0, d1, d2, d3) = select(conv(d0, d1, d2, d3):f32 < 0.0, 0.0, "
      "conv(d0, d1, d2, d3):f32)\n");
}

TEST_CASE("define group: in half precision what moves stays as it is stored, the rest is computed in f32") {
  CHECK(
      text(defined(padded_convolution(), Precision::Float16)) ==
      "prologue conv_padded(b0, b1, b2, b3) = select(0 <= b3 && b3 < 4, x0(b0, b1, b2, min(max(b3, 0), 4 - "
      "1)):f16, f16(f32(0)))\n"
      "anchor conv_sum(n, c, h, w) over r_1:3 r_2:2 = conv_sum(n, c, h, w):f32 + f32(conv_padded(n, r_2, h, "
      "w + r_1 - 1):f16)*f32(x1(c, r_2, 0, r_1):f16)\n"
      "epilogue conv(n, c, h, w) = conv_sum(n, c, h, w):f32\n"
      "epilogue conv_relu(d0, d1, d2, d3) = f16(select(conv(d0, d1, d2, d3):f32 < 0.0, 0.0, "
      "conv(d0, d1, d2, d3):f32))\n");
}

TEST_CASE("define group: a tensor read twice is one operand") {
  OnnxModel model;
  model.input("x", {2, 3}).node("Neg", {"x"}, {"a"}).node("Add", {"a", "x"}, {"y"});
  const StoredGroup group = defined(model.output("y"));
  CHECK(text(group) ==
        "anchor neg(d0, d1) = -0.0 - x0(d0, d1):f32\n"
        "epilogue neg_add(d0, d1) = neg(d0, d1):f32 + x0(d0, d1):f32\n");
  REQUIRE(group.operands.size() == 1);
  CHECK(to_string(group.operands[0].stored) == "f32 [2, 3]");
  CHECK(to_string(group.stored.at(0)) == "f32 [2, 3]");
}

TEST_CASE("define group: equal groups of a graph have equal Funcs") {
  OnnxModel model;
  model.input("x", {1, 2, 4, 4})
      .floats("w", {2, 2, 1, 1}, {1, 2, 3, 4})
      .floats("v", {2, 2, 1, 1}, {5, 6, 7, 8});
  model.node("Conv", {"x", "w"}, {"a"}).node("Conv", {"a", "v"}, {"y"}).output("y");
  CHECK(text(defined(model)) == text(defined(model, Precision::Float32, 1)));
}

TEST_CASE("define group: the same kind of operator twice gets a number") {
  OnnxModel model;
  model.input("x", {4}).input("z", {4}).node("Add", {"x", "z"}, {"a"}).node("Add", {"a", "x"}, {"b"});
  model.node("Relu", {"b"}, {"y"}).output("y");
  CHECK(text(defined(model)) ==
        "anchor add(d0) = x0(d0):f32 + x1(d0):f32\n"
        "epilogue add2(d0) = add(d0):f32 + x0(d0):f32\n"
        "epilogue add_add_relu(d0) = select(add2(d0):f32 < 0.0, 0.0, add2(d0):f32)\n");
}
