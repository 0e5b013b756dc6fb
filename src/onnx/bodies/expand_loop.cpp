// Expands a Loop: into its next iteration and then the Loop again, or into its end.
#include <algorithm>

#include "base/text/printable.h"
#include "onnx/bodies/bodies.h"
#include "onnx/bodies/body_parts.h"
#include "onnx/file/read_tensor.h"
#include "ops/loop_marks.h"

namespace tensordsl::onnx {

using ops::Node;

std::vector<Node> Bodies::expand_loop(const Node& node, Body& body) {
  const ::onnx::GraphProto& graph = body_graph(node, *body.proto, "body");
  if (body.inputs < 2 || static_cast<std::size_t>(graph.input_size()) != body.inputs ||
      static_cast<std::size_t>(graph.output_size()) + 1 < std::max(body.inputs, node.outputs.size() + 2)) {
    refuse_node(node, "its body has {} inputs and {} outputs, but the node has {} and {}", graph.input_size(),
                graph.output_size(), body.inputs, node.outputs.size());
  }
  const std::size_t values = body.inputs - 2;
  if (body.carried.empty()) {
    if (!is_written_out(node, graph)) return repeat_loop(node, body, graph);
    body.carried.assign(node.inputs.begin() + 1,
                        node.inputs.begin() + static_cast<std::ptrdiff_t>(body.inputs));
    body.scanned.resize(static_cast<std::size_t>(graph.output_size()) - 1 - values);
  }
  const auto known = [&](const std::string& tensor, const char* what) {
    const Buffer* value = constant(tensor);
    if (value && !value->type().is_float()) return value->get_int(0);
    if (steps_.written_out.contains(node.outputs[0]))
      refuse_computed(node, fmt::format("{}, in which shapes change,", what).c_str(), tensor);
    throw ops::UnknownSteps(
        fmt::format("{}: the {} '{}' is computed when the model runs", label(node), what, tensor),
        node.outputs[0]);
  };
  const bool goes_on =
      (node.inputs[0].empty() || body.iteration < known(node.inputs[0], "number of iterations")) &&
      (body.carried[0].empty() || known(body.carried[0], "condition") != 0);
  if (!goes_on) return end_loop(node, body, graph);

  if (body.iteration * graph.node_size() > kMostWrittenOut && !steps_.written_out.contains(node.outputs[0])) {
    throw ops::UnknownSteps(
        fmt::format("{}: the loop has more than {} iterations", label(node), body.iteration),
        node.outputs[0]);
  }

  const std::string prefix = fmt::format("{}.{}.", node.outputs[0], body.iteration);
  const auto scope = scope_in(body);
  const std::string iteration = fresh(prefix + "iteration");
  Buffer number(Int(64), {});
  number.set_int(0, body.iteration++);
  add_constant_(iteration, std::move(number), 0);
  if (body.carried[0].empty()) {
    body.carried[0] = fresh(prefix + "condition");
    Buffer yes(Bool(), {});
    yes.set(0, 1);
    add_constant_(body.carried[0], std::move(yes), 0);
  }
  scope->names.emplace(graph.input(0).name(), iteration);
  for (std::size_t i = 0; i <= values; ++i)
    scope->names.insert_or_assign(graph.input(static_cast<int>(i) + 1).name(), body.carried[i]);
  std::vector<Node> nodes = instance(node, graph, scope, prefix);
  for (std::size_t i = 0; i < static_cast<std::size_t>(graph.output_size()); ++i) {
    const std::string name = resolve(*scope, graph.output(static_cast<int>(i)).name());
    (i <= values ? body.carried[i] : body.scanned[i - values - 1].emplace_back()) = name;
  }
  nodes.push_back(node);
  return nodes;
}

std::vector<Node> Bodies::end_loop(const Node& node, const Body& body, const ::onnx::GraphProto& graph) {
  const std::size_t values = body.inputs - 2;
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (i < values) {
      nodes.push_back(identity(node, body.carried[i + 1], node.outputs[i]));
      continue;
    }
    const std::vector<std::string>& parts = body.scanned[i - values];
    if (parts.empty()) {
      const auto& type = graph.output(static_cast<int>(i) + 1).type().tensor_type();
      ops::Ints shape{0};
      for (const auto& dim : type.shape().dim()) shape.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
      if (!type.has_shape() || std::ranges::any_of(shape, [](std::int64_t extent) { return extent < 0; }))
        refuse_node(node, "it has no iterations, and its body does not declare the shape of output {}", i);
      const std::string empty = fresh(node.outputs[i] + ".empty");
      add_constant_(empty, Buffer(read_type(type.elem_type(), label(node)), shape), type.elem_type());
      nodes.push_back(identity(node, empty, node.outputs[i]));
      continue;
    }
    Node whole{node.name, "Concat", {}, {node.outputs[i]}, with("axis", std::int64_t{0})};
    for (const std::string& part : parts) {
      whole.inputs.push_back(fresh(node.outputs[i] + ".part"));
      nodes.push_back({node.name, "Unsqueeze", {part}, {whole.inputs.back()}, with("axes", ops::Ints{0})});
    }
    nodes.push_back(std::move(whole));
  }
  return nodes;
}

}  // namespace tensordsl::onnx
