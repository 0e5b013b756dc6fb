#include "graph/fuse_nodes.h"

#include <algorithm>

#include "ops/operator_table.h"

namespace tensordsl {
namespace {

// A longer chain gains little from not storing its intermediate results, and a kernel of it is hard to read.
constexpr std::size_t kMaxNodes = 32;

/// The one node that reads `tensor`, if it can be applied element by element as `tensor` is made.
const std::size_t* fusible_consumer(const Graph& graph,
                                    const std::map<std::string, std::vector<std::size_t>>& readers,
                                    const std::string& tensor) {
  const auto it = readers.find(tensor);
  if (graph.is_output(tensor) || it == readers.end() || it->second.size() != 1) return nullptr;
  const Node& node = graph.nodes[it->second[0]];
  const bool keeps_shape = graph.info(node.outputs[0]).shape == graph.info(tensor).shape;
  return find_operator(node.op)->elementwise && keeps_shape ? &it->second[0] : nullptr;
}

}  // namespace

std::vector<NodeGroup> fuse_nodes(const Graph& graph) {
  const auto readers = consumers(graph);
  std::vector<bool> taken(graph.nodes.size(), false);
  std::vector<NodeGroup> groups;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (taken[i]) continue;
    NodeGroup group{{i}, graph.nodes[i].outputs[0]};
    while (group.nodes.size() < kMaxNodes) {
      const std::size_t* next = fusible_consumer(graph, readers, group.output);
      if (next == nullptr || taken[*next]) break;  // a sum of two convolutions goes with the first of them
      taken[*next] = true;
      group.nodes.push_back(*next);
      group.output = graph.nodes[*next].outputs[0];
    }
    taken[i] = true;
    groups.push_back(std::move(group));
  }
  // A group waits for the operands of its last node, and every reader of its output comes later still.
  std::stable_sort(groups.begin(), groups.end(),
                   [](const NodeGroup& a, const NodeGroup& b) { return a.nodes.back() < b.nodes.back(); });
  return groups;
}

}  // namespace tensordsl
