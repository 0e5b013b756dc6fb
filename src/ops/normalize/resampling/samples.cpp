// Operators that sample several channels at the same positions: the positions are computed once.
#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/operator_spec.h"

namespace tensordsl::ops::normalize {
namespace {

/// Returns the inference of the operator's own rule. Throws as that does.
InferredNode inferred(const NodeContext& context, const Node& node) {
  std::vector<const TensorInfo*> inputs;
  for (const std::string& input : node.inputs)
    inputs.push_back(input.empty() ? nullptr : &context.info(input));
  return infer(*find_operator(node.op), {node.attributes, std::move(inputs), node.outputs.size()});
}

/// Returns [N, C, taps, S] of x [N, C, E..] at `places`, [places, weights] of [N, groups * taps, corners,
/// S..].
std::string sampled(Composition& nodes, const std::string& x, const Shape& shape,
                    std::vector<std::string> places, const Shape& of_places, std::int64_t groups) {
  const Size elements = element_count(Shape(shape.begin() + 2, shape.end())),
             samples = element_count(Shape(of_places.begin() + 3, of_places.end()));
  const Shape flat{of_places[0], of_places[1], of_places[2], samples};
  for (std::string& tensor : places) tensor = nodes.reshape("flat", tensor, flat);
  return nodes.add("samples", "Samples",
                   {nodes.reshape("planes", x, {shape[0], shape[1], elements}), places[0], places[1]},
                   attributes_of({{"groups", groups}}));
}

}  // namespace

std::vector<Node> grid_sample(NodeContext& context, Node node) {
  const InferredNode result = inferred(context, node);
  const Attributes& attributes = result.attributes;
  const Shape& x = context.info(node.inputs[0]).shape;
  if (attributes.get<std::string>("mode") != "linear" || x[1] == Size(1)) return {std::move(node)};
  Composition nodes(context, node);
  const Shape& y = result.shape();
  Shape of_places{y[0], 1, std::int64_t{1} << (x.size() - 2)};
  of_places.insert(of_places.end(), y.begin() + 2, y.end());
  const std::vector<std::string> places =
      nodes.add_outputs("places", "SamplePlaces", {node.inputs[1]},
                        attributes_of({{"align_corners", attributes.get<std::int64_t>("align_corners")},
                                       {"extents", Sizes(x.begin() + 2, x.end())},
                                       {"padding_mode", attributes.get<std::string>("padding_mode")}}),
                        2);
  nodes.give(0, nodes.reshape("image", sampled(nodes, node.inputs[0], x, places, of_places, 1), y));
  return nodes.take();
}

std::vector<Node> deform_conv(NodeContext& context, Node node) {
  const InferredNode result = inferred(context, node);
  const Attributes& attributes = result.attributes;
  const Shape &x = context.info(node.inputs[0]).shape, &w = context.info(node.inputs[1]).shape,
              &y = result.shape();
  const std::int64_t group = attributes.get<std::int64_t>("group"),
                     offset_group = attributes.get<std::int64_t>("offset_group");
  // If one filter reads one channel, each sample is needed once.
  if (y[1] == Size(group) && x[1] == Size(offset_group)) return {std::move(node)};
  const Size taps = element_count(Shape(w.begin() + 2, w.end()));
  Shape of_places{y[0], offset_group * taps, std::int64_t{1} << (x.size() - 2)};
  of_places.insert(of_places.end(), y.begin() + 2, y.end());

  Composition nodes(context, node);
  Attributes window = attributes_of({{"extents", Sizes(x.begin() + 2, x.end())}});
  for (const char* name : {"dilations", "kernel_shape", "pads", "strides"})
    window.set(name, attributes.get<Ints>(name));
  std::vector<std::string> moved{node.inputs[2]};
  if (!node.input(4).empty()) moved.push_back(node.inputs[4]);
  const std::vector<std::string> places = nodes.add_outputs("places", "WindowPlaces", moved, window, 2);
  const std::string samples = sampled(nodes, node.inputs[0], x, places, of_places, offset_group);

  const Size pixels = element_count(Shape(y.begin() + 2, y.end())), depth = w[1] * taps, filters = y[1];
  std::string sum;
  if (group == 1) {
    sum = nodes.add("product", "MatMul",
                    {nodes.reshape("filters", node.inputs[1], {filters, depth}),
                     nodes.reshape("columns", samples, {y[0], depth, pixels})});
  } else {
    sum = nodes.add("product", "MatMul",
                    {nodes.reshape("filters", node.inputs[1], {group, quotient(filters, group), depth}),
                     nodes.reshape("columns", samples, {y[0], group, depth, pixels})});
    sum = nodes.reshape("channels", sum, {y[0], filters, pixels});
  }
  if (!node.input(3).empty())
    sum = nodes.add("biased", "Add", {sum, nodes.reshape("bias", node.inputs[3], {filters, 1})});
  nodes.give(0, nodes.reshape("image", sum, y));
  return nodes.take();
}

}  // namespace tensordsl::ops::normalize
