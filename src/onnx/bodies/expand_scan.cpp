// Expands a Scan into its steps, one after the other.
#include <algorithm>

#include "base/text/printable.h"
#include "onnx/bodies/bodies.h"
#include "onnx/bodies/body_parts.h"
#include "ops/assumed_sizes.h"

namespace tensordsl::onnx {
namespace {

using ops::Ints;
using ops::Node;
using ops::Size;

Ints ints_attribute(const Node& node, const std::string& name, std::size_t count) {
  Ints values = node.attributes.get<Ints>(name, Ints(count, 0));
  if (values.size() != count)
    refuse_node(node, "attribute {} = {} has {} values; {} are needed", name, ops::to_string(values),
                values.size(), count);
  return values;
}
/// Element `at` of `extent` along `axis`, without that dimension.
std::string add_element(std::vector<Node>& nodes, const Node& of, const std::string& tensor, std::size_t rank,
                        std::int64_t axis, std::int64_t at, std::int64_t extent,
                        const std::function<std::string(const std::string&)>& fresh) {
  Ints pads(2 * rank, 0);
  pads[static_cast<std::size_t>(axis)] = -at;
  pads[static_cast<std::size_t>(axis) + rank] = at + 1 - extent;
  const std::string part = fresh(tensor + ".part"), element = fresh(tensor + ".element");
  nodes.push_back({of.name, "Pad", {tensor}, {part}, with("pads", pads)});
  nodes.push_back({of.name, "Squeeze", {part}, {element}, with("axes", Ints{axis})});
  return element;
}

}  // namespace
std::vector<Node> Bodies::expand_scan(const Node& node, const Body& body) {
  const ::onnx::GraphProto& graph = body_graph(node, *body.proto, "body");
  const auto fresh_name = [&](const std::string& base) { return fresh(base); };
  // Before opset 9 there is a batch in front of everything, and lengths of its sequences.
  const bool has_batch = body.scope->opset < 9;
  if (has_batch && !node.input(0).empty())
    refuse_node(node, "the sequence lengths '{}' are not supported; omit them", node.inputs[0]);
  std::vector<std::string> inputs(node.inputs.begin() + (has_batch ? 1 : 0),
                                  node.inputs.begin() + static_cast<std::ptrdiff_t>(body.inputs));
  const std::int64_t scans = node.attributes.get<std::int64_t>("num_scan_inputs");
  const std::size_t outputs = node.outputs.size();
  if (scans < 1 || scans > static_cast<std::int64_t>(inputs.size()) ||
      static_cast<std::size_t>(graph.input_size()) != inputs.size() ||
      static_cast<std::size_t>(graph.output_size()) <
          std::max(outputs, inputs.size() - static_cast<std::size_t>(scans))) {
    refuse_node(node,
                "its body has {} inputs, of which {} are scanned, and {} outputs, but the node has {} and {}",
                graph.input_size(), scans, graph.output_size(), inputs.size(), outputs);
  }
  const std::size_t scanned = static_cast<std::size_t>(scans), states = inputs.size() - scanned;
  const std::size_t results = static_cast<std::size_t>(graph.output_size()) - states;
  const Ints axes = ints_attribute(node, "scan_input_axes", scanned);
  const Ints directions = ints_attribute(node, has_batch ? "directions" : "scan_input_directions", scanned);
  const Ints output_axes = ints_attribute(node, "scan_output_axes", results);
  const Ints output_directions = ints_attribute(node, "scan_output_directions", results);

  std::vector<ScannedInput> sources;  // without the batch
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].empty()) refuse_node(node, "input {} is absent", i);
    const ops::TensorInfo& info = graph_.info(inputs[i]);
    const std::size_t rank = info.shape.size() - (has_batch && !info.shape.empty() ? 1 : 0);
    if (i < states) continue;
    const std::int64_t given = axes[i - states],
                       axis = given < 0 ? given + static_cast<std::int64_t>(rank) : given;
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank))
      refuse_node(node, "axis {} is outside a tensor of {} dimensions", given, rank);
    const Size& extent = info.shape[static_cast<std::size_t>(axis) + (has_batch ? 1 : 0)];
    if (extent == Size(0) || (!sources.empty() && extent != sources[0].extent)) {
      const std::string text =
          fmt::format("{}: '{}' is {}; scanned inputs must have elements, and all the same number",
                      label(node), inputs[i], to_string(info));
      if (extent == Size(0)) throw ShapeError(text);
      refuse_unequal(text, extent, sources[0].extent);
    }
    sources.push_back({rank, axis, extent, directions[i - states] == 1});
  }
  if (!has_batch && !is_written_out(node, graph, sources[0].extent))
    return repeat_scan(node, body, graph, sources);
  if (!sources[0].extent.is_known()) {
    refuse_node(node, "the number of its steps, which changes shapes, is {}, and must be known; {}",
                to_string(sources[0].extent), how_to_know(sources[0].extent));
  }
  const std::int64_t steps = sources[0].extent.value();

  std::vector<Node> nodes;
  const auto run = [&](std::vector<std::string> now, const std::string& name) {
    std::vector<std::vector<std::string>> parts(results);
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto scope = scope_in(body);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::string value = now[i];
        if (i >= states) {
          const ScannedInput& source = sources[i - states];
          const std::int64_t at = source.is_reversed ? steps - 1 - step : step;
          value = add_element(nodes, node, now[i], source.rank, source.axis, at, steps, fresh_name);
        }
        scope->names.insert_or_assign(graph.input(static_cast<int>(i)).name(), value);
      }
      for (Node& inner : instance(node, graph, scope, fmt::format("{}.{}.", name, step)))
        nodes.push_back(std::move(inner));
      for (std::size_t i = 0; i < states + results; ++i) {
        const std::string value = resolve(*scope, graph.output(static_cast<int>(i)).name());
        if (i < states) {
          now[i] = value;
          continue;
        }
        std::vector<std::string>& all = parts[i - states];
        const std::string part = fresh(value + ".part");
        nodes.push_back(
            {node.name, "Unsqueeze", {value}, {part}, with("axes", Ints{output_axes[i - states]})});
        all.insert(output_directions[i - states] == 1 ? all.begin() : all.end(), part);
      }
    }
    now.resize(states);
    for (std::size_t i = 0; i < results; ++i) {
      now.push_back(fresh(name + ".scanned"));
      nodes.push_back({node.name, "Concat", parts[i], {now.back()}, with("axis", output_axes[i])});
    }
    return now;
  };

  if (!has_batch) {
    const std::vector<std::string> last = run(inputs, node.outputs[0]);
    for (std::size_t i = 0; i < outputs; ++i) nodes.push_back(identity(node, last[i], node.outputs[i]));
    return nodes;
  }
  std::vector<std::vector<std::string>> of_batch(outputs);
  const ops::Shape& first = graph_.info(inputs[0]).shape;
  const std::int64_t batch = first.empty() ? 0 : first[0].value();
  if (batch < 1)
    refuse_node(node, "'{}' is {}; it must have a batch dimension", inputs[0],
                to_string(graph_.info(inputs[0])));
  for (std::int64_t b = 0; b < batch; ++b) {
    std::vector<std::string> own;
    for (const std::string& input : inputs) {
      const ops::Shape& shape = graph_.info(input).shape;
      if (shape.empty() || shape[0] != Size(batch))
        refuse_node(node, "'{}' is {}; it must have a batch of {}", input, to_string(graph_.info(input)),
                    batch);
      own.push_back(add_element(nodes, node, input, shape.size(), 0, b, batch, fresh_name));
    }
    const std::vector<std::string> last = run(own, fmt::format("{}.{}", node.outputs[0], b));
    for (std::size_t i = 0; i < outputs; ++i) {
      of_batch[i].push_back(fresh(last[i] + ".part"));
      nodes.push_back({node.name, "Unsqueeze", {last[i]}, {of_batch[i].back()}, with("axes", Ints{0})});
    }
  }
  for (std::size_t i = 0; i < outputs; ++i)
    nodes.push_back({node.name, "Concat", of_batch[i], {node.outputs[i]}, with("axis", std::int64_t{0})});
  return nodes;
}

}  // namespace tensordsl::onnx
