#include "apps/bench/convolution/convolution_graph.h"

namespace tensordsl::bench {

using ops::Shape;

Buffer convolution_weights(const ConvolutionShape& shape) {
  Buffer weights(Float(32), {shape.outputs, shape.inputs / shape.groups, shape.kernel, shape.kernel});
  for (std::int64_t i = 0; i < weights.elements(); ++i)
    weights.set(i, static_cast<double>(i * 37 % 101) / 50.0 - 1.0);
  return weights;
}

onnx::Graph convolution_graph(const ConvolutionShape& shape, const Buffer& weights,
                              BeforeConvolution before) {
  onnx::Graph graph;
  graph.name = "convolution";
  const std::int64_t pad = shape.kernel / 2, out = shape.out_size();
  const bool has_relu = before == BeforeConvolution::Relu;
  graph.inputs = {"x"};
  graph.outputs = {"y"};
  graph.tensors["x"] = {"x", Float(32), Shape{1, shape.inputs, shape.size, shape.size}};
  if (has_relu) {
    graph.tensors["r"] = {"r", Float(32), Shape{1, shape.inputs, shape.size, shape.size}};
    graph.nodes.push_back(ops::Node{"relu", "Relu", {"x"}, {"r"}, {}});
  }
  graph.add_constant("w", weights);
  graph.tensors["y"] = {"y", Float(32), Shape{1, shape.outputs, out, out}};
  ops::Node node{"conv", "Conv", {has_relu ? "r" : "x", "w"}, {"y"}, {}};
  node.attributes.set("strides", std::vector<std::int64_t>{shape.stride, shape.stride});
  node.attributes.set("pads", std::vector<std::int64_t>{pad, pad, pad, pad});
  node.attributes.set("dilations", std::vector<std::int64_t>{1, 1});
  node.attributes.set("kernel_shape", std::vector<std::int64_t>{shape.kernel, shape.kernel});
  node.attributes.set("group", shape.groups);
  graph.nodes.push_back(node);
  return graph;
}

}  // namespace tensordsl::bench
