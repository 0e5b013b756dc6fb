#include "onnx/remove_dead_nodes.h"

#include <algorithm>
#include <set>

namespace tensordsl {

void remove_dead_nodes(Graph& graph) {
  std::set<std::string> needed(graph.outputs.begin(), graph.outputs.end());
  std::vector<Node> alive;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::ranges::none_of(node->outputs,
                             [&](const std::string& output) { return needed.contains(output); }))
      continue;
    needed.insert(node->inputs.begin(), node->inputs.end());
    needed.erase("");
    alive.push_back(std::move(*node));
  }
  std::ranges::reverse(alive);
  graph.nodes = std::move(alive);

  needed.insert(graph.inputs.begin(), graph.inputs.end());
  for (const Node& node : graph.nodes) needed.insert(node.outputs.begin(), node.outputs.end());
  const auto is_dead = [&](const auto& entry) { return !needed.contains(entry.first); };
  std::erase_if(graph.constants, is_dead);
  std::erase_if(graph.tensors, is_dead);
}

}  // namespace tensordsl
