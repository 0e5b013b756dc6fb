#include "ops/normalize/normalization.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ops/normalize/computed_operand.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::normalize {
void refuse(const Node& node, const std::string& what) {
  throw ModelError(fmt::format("{}: {}", label(node), what));
}

void drop_is_test(const NodeContext& context, Node& node) {
  if (context.opset() >= 7) return;
  if (node.attributes.get<std::int64_t>("is_test", 1) == 0)
    refuse(node, "attribute is_test = 0 is not supported; supported: 1 (inference)");
  node.attributes.erase("is_test");
}

const TensorInfo& data_info(const NodeContext& context, const Node& node) {
  if (node.input(0).empty()) refuse(node, "input 0 is absent");
  return context.info(node.inputs[0]);
}

const Buffer& constant_operand(const NodeContext& context, const Node& node, std::size_t i,
                               std::string_view what) {
  const std::string tensor = node.input(i);
  if (tensor.empty()) refuse(node, fmt::format("input {}, the {}, is absent", i, what));
  if (const Buffer* value = context.constant(tensor)) return *value;
  if (const Sizes* sizes = context.sizes(tensor)) {
    if (std::ranges::any_of(*sizes, &Size::has_count)) {
      refuse(node, fmt::format("the {} '{}' is {}, which depends on data; supported: a constant {}", what,
                               tensor, to_string(*sizes), what));
    }
    refuse(node, fmt::format("the {} '{}' is {}, which depends on symbolic dimensions; supported: a constant "
                             "{}, or known sizes",
                             what, tensor, to_string(*sizes), what));
  }
  const std::vector<std::string> inputs = context.inputs_behind(tensor);
  std::vector<std::string> choices;
  std::ranges::copy_if(inputs, std::back_inserter(choices),
                       [&](const std::string& input) { return is_choice(context.info(input)); });
  if (inputs == std::vector{tensor})
    refuse_computed(fmt::format("{}: the {} '{}' is an input and is not a constant; supported: a constant {}",
                                label(node), what, tensor, what),
                    choices);
  std::string from;
  for (const std::string& input : inputs) from += fmt::format("{} '{}'", from.empty() ? " from" : ",", input);
  refuse_computed(fmt::format("{}: the {} '{}' is computed when the model runs{}; supported: a constant {}",
                              label(node), what, tensor, from, what),
                  choices, tensor, inputs);
}

Ints constant_ints(const NodeContext& context, const Node& node, std::size_t i, std::string_view what,
                   std::size_t most) {
  if (const Sizes* sizes = context.sizes(node.input(i)); sizes && is_known(*sizes)) return known(*sizes);
  const Buffer& buffer = constant_operand(context, node, i, what);
  if (buffer.type().is_float() || buffer.elements() > static_cast<std::int64_t>(most)) {
    refuse(node, fmt::format("the {} '{}' is {}{}; it must be a short list of integers", what, node.input(i),
                             to_string(buffer.type()), to_string(buffer.shape())));
  }
  Ints values;
  for (std::int64_t k = 0; k < buffer.elements(); ++k) values.push_back(buffer.get_int(k));
  return values;
}

Sizes size_operand(const NodeContext& context, const Node& node, std::size_t i, std::string_view what,
                   std::size_t most) {
  if (const Sizes* sizes = context.sizes(node.input(i))) return *sizes;
  const Ints numbers = constant_ints(context, node, i, what, most);
  return {numbers.begin(), numbers.end()};
}

Size size_scalar(const NodeContext& context, const Node& node, std::size_t i, std::string_view what) {
  const Sizes sizes = size_operand(context, node, i, what);
  if (sizes.size() != 1) {
    refuse(node,
           fmt::format("the {} '{}' is {}; it must be one number", what, node.input(i), to_string(sizes)));
  }
  return sizes[0];
}

std::vector<double> constant_numbers(const NodeContext& context, const Node& node, std::size_t i,
                                     std::string_view what) {
  const Buffer& buffer = constant_operand(context, node, i, what);
  if (buffer.elements() > static_cast<std::int64_t>(kMostSizes)) {
    refuse(node, fmt::format("the {} '{}' is {}{}; it must be a short list", what, node.input(i),
                             to_string(buffer.type()), to_string(buffer.shape())));
  }
  std::vector<double> values;
  for (std::int64_t k = 0; k < buffer.elements(); ++k) values.push_back(buffer.get(k));
  return values;
}

double constant_scalar(const NodeContext& context, const Node& node, std::size_t i, std::string_view what) {
  if (const Sizes* sizes = context.sizes(node.input(i)); sizes && sizes->size() == 1 && is_known(*sizes))
    return static_cast<double>((*sizes)[0].value());
  const Buffer& buffer = constant_operand(context, node, i, what);
  if (buffer.elements() != 1) {
    refuse(node, fmt::format("the {} '{}' has the shape {}; it must be one number", what, node.input(i),
                             to_string(buffer.shape())));
  }
  return buffer.get(0);
}

std::size_t axis_from_start(const Node& node, std::int64_t axis, std::size_t rank) {
  const auto dims = static_cast<std::int64_t>(rank);
  if (axis < -dims || axis >= dims)
    refuse(node, fmt::format("axis {} is outside a tensor of {} dimensions", axis, rank));
  return static_cast<std::size_t>(axis < 0 ? axis + dims : axis);
}

Node step_of(NodeContext& context, const Node& of, const std::string& step, std::string op,
             std::vector<std::string> inputs) {
  return {of.name + "." + step,
          std::move(op),
          std::move(inputs),
          {context.fresh_tensor(of.outputs[0] + "." + step)},
          {}};
}

}  // namespace tensordsl::ops::normalize
