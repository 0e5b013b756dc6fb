#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {

namespace {

/// Erases bounds that no element exceeds.
void erase_infinite(Attributes& attributes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (attributes.get("min", 0.0) == -kInfinity) attributes.erase("min");
  if (attributes.get("max", 0.0) == kInfinity) attributes.erase("max");
}

}  // namespace

std::vector<Node> clip(NodeContext& context, Node node) {
  static constexpr std::array<std::pair<const char*, const char*>, 2> kBounds{
      {{"min", "Max"}, {"max", "Min"}}};
  const auto is_literal = [&](std::size_t i) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: integers beyond may not survive as an attribute
    if (node.input(i).empty()) return true;
    const Buffer* bound = context.constant(node.input(i));
    return bound && bound->elements() == 1 && (bound->type().is_float() || std::abs(bound->get(0)) < kExact);
  };
  if (is_literal(1) && is_literal(2)) {
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      if (node.input(i + 1).empty()) continue;
      node.attributes.set(kBounds[i].first, constant_scalar(context, node, i + 1, kBounds[i].first));
    }
    node.inputs.resize(1);
    erase_infinite(node.attributes);
    return {std::move(node)};
  }
  std::vector<Node> steps;
  std::string value = node.input(0);
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    if (node.input(i + 1).empty()) continue;
    const std::string result = context.fresh_tensor(fmt::format("{}.{}", node.outputs[0], kBounds[i].first));
    steps.push_back({fmt::format("{}.{}", node.name, kBounds[i].first),
                     kBounds[i].second,
                     {value, node.input(i + 1)},
                     {result},
                     {}});
    value = result;
  }
  steps.back().outputs = node.outputs;
  return steps;
}

}  // namespace tensordsl::ops::normalize
