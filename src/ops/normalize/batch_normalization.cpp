#include <fmt/format.h>

#include <utility>

#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {
namespace {

/// Normalizes by the mean and the variance of the data, as exporters write the standardization of weights.
std::vector<Node> by_statistics_of_data(NodeContext& context, Node node) {
  const Shape shape = data_info(context, node).shape;
  Ints others;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (d != 1) others.push_back(static_cast<std::int64_t>(d));
  const auto mean_of = [&](std::int64_t keepdims) {
    return attributes_of({{"axes", others}, {"keepdims", keepdims}});
  };
  Composition steps(context, node);
  const std::string x = node.inputs[0];
  const std::string mean = steps.add("mean", "ReduceMean", {x}, mean_of(0));
  const std::string mean_in_place = steps.add("mean_in_place", "ReduceMean", {x}, mean_of(1));
  const std::string centered = steps.add("centered", "Sub", {x, mean_in_place});
  const std::string squared = steps.add("squared", "Mul", {centered, centered});
  const std::string variance = steps.add("variance", "ReduceMean", {squared}, mean_of(0));
  std::vector<Node> nodes = steps.take();
  node.inputs = {x, node.input(1), node.input(2), mean, variance};
  nodes.push_back(std::move(node));
  return nodes;
}

}  // namespace

std::vector<Node> batch_normalization(NodeContext& context, Node node) {
  drop_is_test(context, node);
  const bool has_own_statistics = node.attributes.get<std::int64_t>("training_mode", 0) == 1 &&
                                  !node.input(0).empty() && context.constant(node.inputs[0]);
  if (has_own_statistics) node.attributes.erase("training_mode");
  for (const auto& [name, supported] : {std::pair{"spatial", 1}, std::pair{"training_mode", 0}}) {
    const std::int64_t value = node.attributes.get<std::int64_t>(name, supported);
    if (value != supported)
      refuse(node, fmt::format("attribute {} = {} is not supported; supported: {}{}", name, value, supported,
                               supported == 0 ? ", or weights as data" : ""));
    node.attributes.erase(name);
  }
  if (has_own_statistics) return by_statistics_of_data(context, std::move(node));
  return {std::move(node)};
}

}  // namespace tensordsl::ops::normalize
