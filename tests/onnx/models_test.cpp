// The network graphs in models/.
#include <doctest/doctest.h>

#include "onnx/import_onnx.h"
#include "onnx/rewrite/clean_up.h"
#include "support/source_dir.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;

TEST_CASE("models: the six networks import, with random weights, and clean up") {
  struct Model {
    const char* name;
    std::size_t nodes;  // after clean-up
    Shape input;
  };
  for (const Model& model :
       {Model{"mobilenet_v1", 57, {1, 3, 224, 224}}, Model{"mobilenet_v2", 100, {1, 3, 224, 224}},
        Model{"squeezenet1_0", 65, {1, 3, 224, 224}}, Model{"resnet18", 49, {1, 3, 224, 224}},
        Model{"inception_v3", 215, {1, 3, 299, 299}}, Model{"vgg16", 38, {1, 3, 224, 224}}}) {
    CAPTURE(model.name);
    ImportOptions options;
    options.random_weights = true;
    Graph graph =
        import_onnx((source_dir() / "models" / (std::string(model.name) + ".onnx")).string(), options);
    clean_up(graph, nullptr);
    CHECK(graph.nodes.size() == model.nodes);
    REQUIRE(graph.inputs.size() == 1);
    CHECK(graph.info(graph.inputs[0]).shape == model.input);
    REQUIRE(graph.outputs.size() == 1);
    CHECK(graph.info(graph.outputs[0]).shape == Shape{1, 1000});
  }
}
