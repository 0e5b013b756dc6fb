// Which nodes become one kernel.
#include "graph/fuse_nodes.h"

#include <doctest/doctest.h>

#include "graph/build_kernel.h"
#include "onnx/infer_shapes.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using testing::OnnxModel;

TEST_CASE("fuse: a long chain of element-wise nodes is cut, and its kernels keep short names") {
  OnnxModel model;
  model.input("x", {8});
  std::string last = "x";
  for (int i = 0; i < 70; ++i) {
    const std::string next = "t" + std::to_string(i);
    model.node("Sigmoid", {last}, {next});
    last = next;
  }
  model.output(last);
  Graph graph = model.import();
  infer_shapes(graph);
  const auto groups = fuse_nodes(graph);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].nodes.size() == 32);
  CHECK(groups[2].nodes.size() == 6);
  const auto name = [&](const NodeGroup& group) {
    return build_kernel(graph, group, Precision::Float32, schedules::Target{}).output.name();
  };
  CHECK(name(groups[0]) == "sigmoid_sigmoid_sigmoid_sigmoid_sigmoid_sigmoid_and_26_more");
  CHECK(name(groups[2]) == "sigmoid_sigmoid_sigmoid_sigmoid_sigmoid_sigmoid");
}
