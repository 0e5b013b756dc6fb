#include "onnx/rewrite/remove_dead_nodes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "ir/nodes/expr_node.h"
#include "ops/loop_marks.h"

namespace tensordsl::onnx {

using ops::Node;
using ops::Sizes;

namespace {

/// The counts in the shapes and attributes of needed nodes, and in the checks of the launch.
class NeededCounts {
 public:
  explicit NeededCounts(const Graph& graph) : graph_(graph) {
    for (const Node& node : graph.nodes) {
      if (node.op == ops::kLoopEnd)
        ends_.emplace(node.attributes.get<std::string>(ops::kLoopTaken), node.outputs[0]);
    }
  }

  void add(const Node& node, std::set<std::string>& needed) const {
    if (graph_.counts.empty() && ends_.empty()) return;
    for (const std::string& output : node.outputs) {
      if (!output.empty()) add(graph_.info(output).shape, needed);
    }
    for (const auto& [name, value] : node.attributes.values()) {
      if (const Sizes* sizes = std::get_if<Sizes>(&value)) add(*sizes, needed);
    }
  }

  void add(const ReadRequirement& requirement, std::set<std::string>& needed) const {
    if (graph_.counts.empty() && ends_.empty()) return;
    for (const SizeExpr& part : {requirement.when, requirement.begin, requirement.end, requirement.extent}) {
      for (const std::string& name : names_in(part)) add(name, needed);
    }
  }

 private:
  void add(const Sizes& sizes, std::set<std::string>& needed) const {
    for (const ops::Size& size : sizes)
      for (const std::string& symbol : size.symbols()) add(symbol, needed);
  }

  void add(const std::string& symbol, std::set<std::string>& needed) const {
    if (const auto end = ends_.find(symbol); end != ends_.end()) needed.insert(end->second);
    const auto count = std::ranges::find(graph_.counts, symbol, &Graph::Count::param);
    if (count != graph_.counts.end() && needed.insert(count->tensor).second) add({count->bound}, needed);
  }

  const Graph& graph_;
  std::map<std::string, std::string> ends_;  // an output of each loop, by the symbol of how many steps it had
};

}  // namespace

void remove_dead_nodes(Graph& graph) {
  const NeededCounts counts(graph);
  std::set<std::string> needed(graph.outputs.begin(), graph.outputs.end());
  for (const ReadRequirement& requirement : graph.requirements) counts.add(requirement, needed);
  std::vector<Node> alive;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::ranges::none_of(node->outputs,
                             [&](const std::string& output) { return needed.contains(output); }))
      continue;
    needed.insert(node->inputs.begin(), node->inputs.end());
    needed.erase("");
    counts.add(*node, needed);
    alive.push_back(std::move(*node));
  }
  std::ranges::reverse(alive);
  graph.nodes = std::move(alive);

  needed.insert(graph.inputs.begin(), graph.inputs.end());
  for (const Node& node : graph.nodes) needed.insert(node.outputs.begin(), node.outputs.end());
  const auto is_dead = [&](const auto& entry) { return !needed.contains(entry.first); };
  std::erase_if(graph.counts, [&](const Graph::Count& count) { return !needed.contains(count.tensor); });
  std::erase_if(graph.constants, is_dead);
  std::erase_if(graph.tensors, is_dead);
}

}  // namespace tensordsl::onnx
