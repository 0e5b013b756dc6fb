#include <fmt/format.h>

#include <algorithm>

#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {
namespace {

/// OpenCL promises 1024 bytes of arguments, which are 128 pointers, and to embedded devices 256.
constexpr std::size_t kMostInputs = 24;

}  // namespace

std::vector<Node> variadic(NodeContext& context, Node node) {
  if (node.inputs.size() == 1) node.op = "Identity";
  if (node.inputs.size() <= 2) return {std::move(node)};
  std::vector<Node> steps;
  std::string value = node.inputs[0];
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const bool last = i + 1 == node.inputs.size();
    const std::string result =
        last ? node.outputs[0] : context.fresh_tensor(fmt::format("{}.partial{}", node.outputs[0], i));
    steps.push_back({node.name, node.op, {value, node.inputs[i]}, {result}, {}});
    value = result;
  }
  return steps;
}

std::vector<Node> mean(NodeContext& context, Node node) {
  if (node.inputs.size() <= kMostInputs) return {std::move(node)};
  const TensorInfo& info = data_info(context, node);
  const std::string count = context.fresh_tensor(node.outputs[0] + ".count"),
                    total = context.fresh_tensor(node.outputs[0] + ".sum");
  Buffer value(info.type, {});
  value.set(0, static_cast<double>(node.inputs.size()));
  context.add_constant(count, std::move(value));
  std::vector<Node> steps = sum(context, {node.name, "Sum", std::move(node.inputs), {total}, {}});
  steps.push_back({node.name, "Div", {total, count}, std::move(node.outputs), {}});
  return steps;
}

std::vector<Node> sum(NodeContext& context, Node node) {
  node.op = "Add";
  return variadic(context, std::move(node));
}

namespace {

/// Drops empty inputs of a concatenation that has others. Shapes that do not fit stay, for the shape rule to
/// refuse.
void drop_empty_parts(const NodeContext& context, Node& node) {
  const auto shape_of = [&](const std::string& input) { return context.info(input).shape; };
  const auto has_no_elements = [&](const std::string& input) {
    return !input.empty() && is_empty(shape_of(input));
  };
  const auto whole = std::ranges::find_if_not(node.inputs, has_no_elements);
  if (whole == node.inputs.end() || whole->empty()) return;
  const Shape shape = shape_of(*whole);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t given = node.attributes.get<std::int64_t>("axis", 0);
  const std::int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis >= rank) return;
  std::erase_if(node.inputs, [&](const std::string& input) {
    if (!has_no_elements(input)) return false;
    Shape part = shape_of(input);
    if (part.size() == shape.size())
      part[static_cast<std::size_t>(axis)] = shape[static_cast<std::size_t>(axis)];
    return part == shape;
  });
}

}  // namespace

std::vector<Node> concat(NodeContext& context, Node node) {
  drop_empty_parts(context, node);
  return concat_in_levels(context, std::move(node));
}

std::vector<Node> concat_in_levels(NodeContext& context, Node node) {
  std::vector<Node> steps;
  while (node.inputs.size() > kMostInputs) {
    std::vector<std::string> parts;
    const std::size_t count = node.inputs.size(), steps_of_level = (count + kMostInputs - 1) / kMostInputs;
    for (std::size_t i = 0; i < steps_of_level; ++i) {
      // Divides the inputs evenly: parts of equal size share a kernel.
      const std::size_t begin = i * count / steps_of_level, end = (i + 1) * count / steps_of_level;
      Node part = node;
      part.inputs.assign(node.inputs.begin() + static_cast<std::ptrdiff_t>(begin),
                         node.inputs.begin() + static_cast<std::ptrdiff_t>(end));
      part.outputs = {context.fresh_tensor(node.outputs[0] + ".part")};
      parts.push_back(part.outputs[0]);
      steps.push_back(std::move(part));
    }
    node.inputs = std::move(parts);
  }
  steps.push_back(std::move(node));
  return steps;
}

}  // namespace tensordsl::ops::normalize
