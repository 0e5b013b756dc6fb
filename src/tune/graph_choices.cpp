#include "tune/graph_choices.h"

#include <algorithm>
#include <set>

#include "graph/schedule/choose_fallbacks.h"

namespace tensordsl::tune {
namespace {

/// The nodes of the model that a group computes: a tensor that was several has other names than they had.
std::set<std::string> nodes_of(const graph::Graph& compiled, std::size_t group) {
  std::set<std::string> nodes;
  for (const std::size_t tensor : compiled.groups[group].tensors) {
    for (const definitions::Origin& origin : origins_of(compiled.definitions.tensors[tensor]))
      nodes.insert(to_string(origin));
  }
  return nodes;
}

const ModelKernel* kernel_at(const ModelVariant& variant, std::size_t group) {
  const auto found = std::ranges::find_if(variant.kernels(), [&](const ModelKernel& kernel) {
    return std::ranges::count(kernel.task.places, group) > 0;
  });
  return found == variant.kernels().end() ? nullptr : &*found;
}

/// The groups that compute these nodes and no others. Empty: some compute others too.
std::vector<std::size_t> groups_of(const graph::Graph& compiled, const std::set<std::string>& nodes) {
  std::vector<std::size_t> groups;
  std::set<std::string> covered;
  for (std::size_t i = 0; i < compiled.groups.size(); ++i) {
    const std::set<std::string> own = nodes_of(compiled, i);
    const auto is_inside = [&](const std::string& node) { return nodes.contains(node); };
    if (own.empty() || std::ranges::none_of(own, is_inside)) continue;
    if (!std::ranges::all_of(own, is_inside)) return {};
    groups.push_back(i);
    covered.insert(own.begin(), own.end());
  }
  return covered == nodes ? groups : std::vector<std::size_t>();
}

}  // namespace

bool pays_apart(double apart_us, double whole_us) {
  constexpr double kNoise = 0.98;
  return apart_us < kNoise * whole_us;
}

bool has_alternatives(const ModelVariant& whole) {
  return std::ranges::any_of(whole.kernels(), [&](const ModelKernel& kernel) {
    const graph::Graph& compiled = whole.compiled();
    return graph::alternative_of(compiled, compiled.groups[kernel.task.places.front()]).has_value();
  });
}

std::vector<GraphChoice> graph_choices(
    const ModelVariant& whole, const ModelVariant& apart, double launch_us,
    const std::function<std::optional<double>(const std::string& structure)>& us_of) {
  std::vector<GraphChoice> choices;
  for (const ModelKernel& kernel : whole.kernels()) {
    const std::size_t place = kernel.task.places.front();
    if (!graph::alternative_of(whole.compiled(), whole.compiled().groups[place])) continue;
    const auto whole_us = us_of(kernel.task.key.structure);
    const std::vector<std::size_t> parts = groups_of(apart.compiled(), nodes_of(whole.compiled(), place));
    if (!whole_us || parts.empty()) continue;
    // A node may be one kernel whatever is asked for.
    const ModelKernel* same = parts.size() == 1 ? kernel_at(apart, parts.front()) : nullptr;
    if (same && same->task.key == kernel.task.key) continue;
    double sum = launch_us * static_cast<double>(parts.size() - 1);
    bool are_known = true;
    for (const std::size_t part : parts) {
      const ModelKernel* own = kernel_at(apart, part);
      const auto us = own ? us_of(own->task.key.structure) : std::nullopt;
      are_known = are_known && us.has_value();
      sum += us.value_or(0);
    }
    if (are_known) choices.push_back({kernel.task.key, kernel.operators, sum, *whole_us});
  }
  return choices;
}

}  // namespace tensordsl::tune
