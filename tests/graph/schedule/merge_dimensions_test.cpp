// Rows and columns as one dimension.
#include "graph/schedule/merge_dimensions.h"

#include <doctest/doctest.h>

#include "graph/fuse/fuse.h"
#include "graph/schedule/define_group.h"
#include "graph/views/choose_layouts.h"
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

StoredGroup merged(const OnnxModel& model) {
  const DefinitionGraph graph = definitions_of(model);
  const auto groups = groups_after<fuse>(graph);
  REQUIRE(groups.size() == 1);
  const StoredGroup group = define_group(graph, TensorFuncs(graph), groups[0], Precision::Float32);
  return merge_dimensions(with_layouts(group, choose_layouts(graph)));
}

OnnxModel convolution(const Ints& strides, const char* output = "c") {
  OnnxModel model;
  model.input("x", {1, 2, 4, 5})
      .floats("w", {3, 2, 1, 1}, std::vector<float>(6, 1.0F))
      .floats("b", {3}, {1, 2, 3});
  return model.node("Conv", {"x", "w", "b"}, {output}, {attribute("strides", strides)});
}

}  // namespace

TEST_CASE("merge dimensions: a convolution of single pixels does not know rows from columns") {
  OnnxModel model = convolution({1, 1});
  model.input("z", {1, 3, 4, 5}).input("s", {1, 3, 1, 1}).node("Add", {"c", "z"}, {"a"});
  model.node("Mul", {"a", "s"}, {"y"}).output("y");
  const StoredGroup group = merged(model);
  CHECK(text(group) ==
        "anchor conv_sum(n, c, hw) over r_2:2 = conv_sum(n, c, hw):f32 + x0(n, r_2, hw):f32*x1(c, r_2, 0, "
        "0):f32\n"
        "epilogue conv(n, c, hw) = conv_sum(n, c, hw):f32 + x2(c):f32\n"
        "epilogue add(d0, d1, d2d3) = conv(d0, d1, d2d3):f32 + x3(d0, d1, d2d3):f32\n"
        "epilogue conv_add_mul(d0, d1, d2d3) = add(d0, d1, d2d3):f32*x4(d0, d1, 0, 0):f32\n");
  CHECK(to_string(group.stored[0]) == "f32 [1, 3, 20], layout \"d0 d2 d1\"");
  CHECK(to_string(group.operands[0].stored) == "f32 [1, 2, 20], layout \"d0 d2 d1\"");
  CHECK(to_string(group.operands[1].stored) == "f32 [3, 2, 1, 1]");
}

TEST_CASE("merge dimensions: windows and strides keep rows and columns apart") {
  CHECK(text(merged(convolution({2, 1}, "y").output("y"))).find("hw") == std::string::npos);
}

TEST_CASE("merge dimensions: the batch of a matrix product joins its rows") {
  OnnxModel model;
  model.input("x", {2, 3, 5}).floats("w", {5, 7}, std::vector<float>(35, 1.0F));
  const StoredGroup group = merged(model.node("MatMul", {"x", "w"}, {"y"}).output("y"));
  CHECK(text(group) ==
        "anchor matmul_sum(d0d1, d2) over r_0:5 = matmul_sum(d0d1, d2):f32 + x0(d0d1, r_0):f32*x1(r_0, "
        "d2):f32\n"
        "epilogue matmul(d0d1, d2) = matmul_sum(d0d1, d2):f32\n");
  CHECK(to_string(group.operands[0].stored) == "f32 [6, 5]");
}

TEST_CASE("merge dimensions: within a coordinate of an image, but not from one to the next") {
  const OnnxModel model = convolution({1, 1}, "y").output("y");
  const DefinitionGraph graph = definitions_of(model);
  StoredGroup group =
      define_group(graph, TensorFuncs(graph), groups_after<fuse>(graph).at(0), Precision::Float32);
  const auto stored_as = [&](const char* input, const char* output) {
    group.operands[0].stored.layout = Layout::parse(input, {"n", "c", "h", "w"});
    group.stored[0].layout = Layout::parse(output, {"n", "c", "h", "w"});
    return merge_dimensions(group);
  };
  const StoredGroup merged = stored_as("n h w c", "n h w | c");
  CHECK(to_string(merged.stored[0]) == "f32 [1, 3, 20], layout \"d0 d2 | d1\"");
  CHECK(to_string(stored_as("n h w c", "n h | w c").stored[0]) ==
        "f32 [1, 3, 4, 5], layout \"d0 d2 | d3 d1\"");
}
