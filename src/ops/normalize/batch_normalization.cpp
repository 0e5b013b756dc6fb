#include <fmt/format.h>

#include <utility>

#include "ops/normalize/rules.h"

namespace tensordsl::normalize {

std::vector<Node> batch_normalization(NodeContext& context, Node node) {
  drop_is_test(context, node);
  for (const auto& [name, supported] : {std::pair{"spatial", 1}, std::pair{"training_mode", 0}}) {
    const std::int64_t value = node.attributes.get<std::int64_t>(name, supported);
    if (value != supported)
      refuse(node, fmt::format("attribute {} = {} is not supported; supported: {}", name, value, supported));
    node.attributes.erase(name);
  }
  return {std::move(node)};
}

}  // namespace tensordsl::normalize
