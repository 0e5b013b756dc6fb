#include "onnx/rewrite/fold_batch_norm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace tensordsl::onnx {
namespace {

using ops::Node;

/// A BatchNormalization is y * scale[c] + shift[c].
struct Affine {
  std::vector<double> scale, shift;
};

Affine read_affine(const Graph& graph, const Node& node) {
  std::array<const Buffer*, 4> operands{};
  for (std::size_t i = 0; i < operands.size(); ++i) operands[i] = &graph.constants.at(node.inputs[i + 1]);
  const auto& [scale, bias, mean, variance] = operands;
  const double epsilon = node.attributes.get<double>("epsilon");
  Affine affine;
  for (std::int64_t c = 0; c < scale->elements(); ++c) {
    const double factor = scale->get(c) / std::sqrt(variance->get(c) + epsilon);
    affine.scale.push_back(factor);
    affine.shift.push_back(bias->get(c) - mean->get(c) * factor);
  }
  return affine;
}

std::string add_vector(Graph& graph, const std::string& name, Type type, ops::Ints shape,
                       const std::vector<double>& values) {
  Buffer buffer(type, std::move(shape));
  for (std::size_t i = 0; i < values.size(); ++i) buffer.set(static_cast<std::int64_t>(i), values[i]);
  const std::string fresh = fresh_name(graph, name);
  graph.add_constant(fresh, std::move(buffer));
  return fresh;
}

/// Conv, then `norm`  ->  Conv with other weights. The constants are new: others may share the old ones.
void fold_into_conv(Graph& graph, Node& conv, const Node& norm) {
  const Affine affine = read_affine(graph, norm);
  const auto channels = static_cast<std::int64_t>(affine.scale.size());
  Buffer weights = graph.constants.at(conv.inputs[1]);
  const std::int64_t per_channel = weights.elements() / channels;
  for (std::int64_t i = 0; i < weights.elements(); ++i) {
    weights.set(i, weights.get(i) * affine.scale[static_cast<std::size_t>(i / per_channel)]);
  }
  std::vector<double> bias = affine.shift;
  if (conv.inputs.size() > 2 && !conv.inputs[2].empty()) {
    const Buffer& old = graph.constants.at(conv.inputs[2]);
    for (std::size_t c = 0; c < bias.size(); ++c)
      bias[c] += old.get(static_cast<std::int64_t>(c)) * affine.scale[c];
  }
  const std::string weights_name = fresh_name(graph, norm.outputs[0] + ".weights");
  const Type type = weights.type();
  graph.add_constant(weights_name, std::move(weights));
  conv.inputs = {conv.inputs[0], weights_name,
                 add_vector(graph, norm.outputs[0] + ".bias", type, {channels}, bias)};
  graph.tensors.erase(conv.outputs[0]);
  conv.outputs = norm.outputs;
}

/// norm  ->  Mul, Add
std::array<Node, 2> split(Graph& graph, const Node& norm) {
  const Affine affine = read_affine(graph, norm);
  const ops::TensorInfo result = graph.info(norm.outputs[0]);
  ops::Ints shape(result.shape.size() - 1, 1);
  shape[0] = static_cast<std::int64_t>(affine.scale.size());
  const std::string scale = add_vector(graph, result.name + ".scale", result.type, shape, affine.scale);
  const std::string shift = add_vector(graph, result.name + ".shift", result.type, shape, affine.shift);
  const std::string product = fresh_name(graph, result.name + ".scaled");
  graph.tensors.emplace(product, ops::TensorInfo{product, result.type, result.shape});
  return {Node{norm.name + ".scale", "Mul", {norm.inputs[0], scale}, {product}, {}},
          Node{norm.name + ".shift", "Add", {product, shift}, {result.name}, {}}};
}

}  // namespace

void fold_batch_norm(Graph& graph) {
  const auto readers = consumers(graph);
  std::map<std::string, std::size_t> conv_of;  // the foldable convolution in `nodes` that makes a tensor
  std::vector<Node> nodes;
  const auto is_known = [&](const std::string& input) { return input.empty() || graph.is_constant(input); };
  const auto is_only_for = [&](const std::string& tensor) {
    return readers.at(tensor).size() == 1 && !graph.is_output(tensor);
  };
  for (Node& node : graph.nodes) {
    if (node.op != "BatchNormalization") {
      const bool gives_back = (node.op == "Identity" || node.op == "Dropout") && node.outputs.size() == 1;
      const auto before = gives_back ? conv_of.find(node.inputs[0]) : conv_of.end();
      if (before != conv_of.end() && is_only_for(node.inputs[0]) && readers.contains(node.outputs[0])) {
        // Between a convolution and its readers: the convolution makes its output.
        graph.tensors.erase(node.inputs[0]);
        nodes[before->second].outputs = node.outputs;
        conv_of[node.outputs[0]] = before->second;
        continue;
      }
      if (node.op == "Conv" && std::all_of(node.inputs.begin() + 1, node.inputs.end(), is_known)) {
        conv_of[node.outputs[0]] = nodes.size();
      }
      nodes.push_back(std::move(node));
      continue;
    }
    if (!std::all_of(node.inputs.begin() + 1, node.inputs.end(), is_known)) {
      nodes.push_back(std::move(node));  // its definition computes it
      continue;
    }
    const std::string& x = node.inputs[0];
    const auto conv = conv_of.find(x);
    if (conv != conv_of.end() && is_only_for(x)) {
      fold_into_conv(graph, nodes[conv->second], node);
      conv_of[node.outputs[0]] = conv->second;
    } else {
      for (Node& part : split(graph, node)) nodes.push_back(std::move(part));
    }
  }
  graph.nodes = std::move(nodes);
}

}  // namespace tensordsl::onnx
