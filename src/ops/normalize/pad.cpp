#include <fmt/format.h>

#include <cmath>

#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {
namespace {

Size half_toward_zero(const Size& size) {
  return quotient(max(size, 0), 2) - quotient(max(Size(0) - size, 0), 2);
}

/// `of_axes`, a list of two values for each of `axes`, with zeros for all other dimensions.
Sizes pads_of_all_axes(const Node& node, const Sizes& of_axes, const Ints& axes, std::size_t rank) {
  if (of_axes.size() != 2 * axes.size())
    refuse(node, fmt::format("pads = {} and axes = {} do not match", to_string(of_axes), to_string(axes)));
  Sizes all(2 * rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = axis_from_start(node, axes[i], rank);
    all[axis] = of_axes[i];
    all[axis + rank] = of_axes[i + axes.size()];
  }
  return all;
}

/// True if an attribute, which is a double, represents the operand exactly.
bool is_literal(const NodeContext& context, const std::string& operand) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  const Buffer* value = context.constant(operand);
  return value && value->elements() == 1 && (value->type().is_float() || std::abs(value->get(0)) < kExact);
}

}  // namespace

std::vector<Node> pad(NodeContext& context, Node node) {
  if (!node.input(1).empty()) {
    Sizes pads = size_operand(context, node, 1, "pads");
    if (!node.input(3).empty()) {
      pads = pads_of_all_axes(node, pads, constant_ints(context, node, 3, "axes"),
                              data_info(context, node).shape.size());
    }
    node.attributes.set("pads", std::move(pads));
  }
  const std::string value = node.input(2);
  if (node.inputs.size() > 1) node.inputs.resize(1);
  if (value.empty() || node.attributes.get<std::string>("mode", "constant") != "constant")
    return {std::move(node)};
  if (is_literal(context, value)) {
    node.attributes.set("value", context.constant(value)->get(0));
  } else {
    node.inputs.push_back(value);
  }
  return {std::move(node)};
}

std::vector<Node> center_crop_pad(NodeContext& context, Node node) {
  const Shape& x = data_info(context, node).shape;
  const Sizes wanted = size_operand(context, node, 1, "shape");
  Ints axes(x.size());
  for (std::size_t d = 0; d < axes.size(); ++d) axes[d] = static_cast<std::int64_t>(d);
  axes = node.attributes.get<Ints>("axes", axes);
  if (wanted.size() != axes.size())
    refuse(node, fmt::format("shape = {} and axes = {} do not match", to_string(wanted), to_string(axes)));
  Sizes begins, ends;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Size missing = wanted[i] - x[axis_from_start(node, axes[i], x.size())];
    begins.push_back(half_toward_zero(missing));
    ends.push_back(missing - begins.back());
  }
  begins.insert(begins.end(), ends.begin(), ends.end());
  node.op = "Pad";
  node.inputs.resize(1);
  node.attributes.erase("axes");
  node.attributes.set("pads", pads_of_all_axes(node, begins, axes, x.size()));
  return {std::move(node)};
}

}  // namespace tensordsl::ops::normalize
