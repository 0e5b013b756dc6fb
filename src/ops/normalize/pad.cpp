#include <fmt/format.h>

#include "ops/normalize/rules.h"

namespace tensordsl::normalize {

std::vector<Node> pad(NodeContext& context, Node node) {
  if (!node.input(1).empty()) {
    const std::size_t rank = data_info(context, node).shape.size();
    Ints pads = constant_ints(context, node, 1, "pads");
    if (!node.input(3).empty()) {
      const Ints axes = constant_ints(context, node, 3, "axes");
      if (pads.size() != 2 * axes.size()) {
        refuse(node, fmt::format("pads = {} and axes = {} do not match", to_string(pads), to_string(axes)));
      }
      Ints all(2 * rank, 0);
      for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t axis = axes[i] < 0 ? axes[i] + static_cast<std::int64_t>(rank) : axes[i];
        if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) {
          refuse(node, fmt::format("axis {} is outside a tensor of {} dimensions", axes[i], rank));
        }
        all[static_cast<std::size_t>(axis)] = pads[i];
        all[static_cast<std::size_t>(axis) + rank] = pads[i + axes.size()];
      }
      pads = std::move(all);
    }
    node.attributes.set("pads", pads);
  }
  if (!node.input(2).empty())
    node.attributes.set("value", constant_scalar(context, node, 2, "constant_value"));
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

}  // namespace tensordsl::normalize
