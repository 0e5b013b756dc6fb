#include "onnx/rewrite/normalize_nodes.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/index_limit.h"
#include "ir/nodes/size_conversion.h"
#include "onnx/rewrite/fold_constants.h"
#include "onnx/rewrite/fold_empty.h"
#include "onnx/rewrite/normalize_node.h"
#include "onnx/shapes/assume_sizes.h"
#include "onnx/shapes/infer_shapes.h"
#include "ops/node_rules.h"

namespace tensordsl::onnx {
namespace {

using ops::Node;

class NodeNormalizer {
 public:
  NodeNormalizer(Graph& graph, Bodies& bodies, std::set<std::string>& taken, const Evaluator& evaluate,
                 const std::map<std::string, Buffer>& values,
                 const std::function<void(std::int64_t bytes)>& reserve)
      : graph_(graph),
        bodies_(bodies),
        taken_(taken),
        evaluate_(evaluate),
        values_(values),
        reserve_(reserve) {}

  void run() {
    waiting_.assign(std::move_iterator(graph_.nodes.begin()), std::move_iterator(graph_.nodes.end()));
    graph_.nodes.clear();
    while (!waiting_.empty()) {
      std::vector<Node> whole{std::move(waiting_.front())};
      waiting_.pop_front();
      if (auto inner = assuming(whole, 0, [&] { return bodies_.expand(whole[0]); })) {
        waiting_.insert(waiting_.begin(), std::move_iterator(inner->begin()),
                        std::move_iterator(inner->end()));
        continue;
      }
      replace_empty_inputs(graph_, whole[0], taken_);
      const std::int64_t opset = bodies_.opset_of(whole[0]);
      std::vector<Node> nodes = normalize_assuming(whole, 0, opset);
      for (std::size_t i = 0; i < nodes.size();) {
        if (is_rule_alone(nodes[i])) {
          std::vector<Node> inner = normalize_assuming(nodes, i, opset);
          const auto at = nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i));
          nodes.insert(at, std::move_iterator(inner.begin()), std::move_iterator(inner.end()));
          continue;
        }
        infer_shapes_assuming(nodes, i);
        Node& node = nodes[i++];
        hand_on_element_type(node);
        if (fold_empty(graph_, node)) continue;
        if (!fold_node(graph_, node, evaluate_)) {
          for (std::string& output : node.outputs) take_value(node, output);
          graph_.nodes.push_back(std::move(node));
          continue;
        }
        for (const std::string& output : node.outputs) {
          if (!output.empty()) reserve_(static_cast<std::int64_t>(graph_.constants.at(output).size_bytes()));
        }
      }
    }
  }

 private:
  /// The tensor becomes the constant that it is known to be; what is computed of it has another name.
  void take_value(const Node& node, std::string& output) {
    const auto known = values_.find(output);
    if (known == values_.end() || graph_.is_constant(output)) return;
    const Buffer& value = known->second;
    const std::string computed = fresh_name(graph_, output + ".computed");
    taken_.insert(computed);
    ops::TensorInfo info = graph_.info(output);
    info.name = computed;
    graph_.tensors.insert_or_assign(computed, info);
    reserve_(static_cast<std::int64_t>(value.size_bytes()));
    graph_.add_constant(output, value);
    const SizeExpr found = ir::to_size(graph_.add_count(computed, kMaxElements).expr());
    const SizeExpr wanted = static_cast<int>(value.get_int(0));
    graph_.requirements.push_back({label(node), output, -1, "", 1, found, wanted, wanted, true});
    output = computed;
  }

  /// Unless the rule of the operator has said what its outputs are.
  void hand_on_element_type(const Node& node) {
    for (const std::string& output : node.outputs) {
      if (output.empty() || graph_.element_types.contains(output)) continue;
      const auto is_held_alike = [&](const std::string& input) {
        return !input.empty() && graph_.info(input).type == graph_.info(output).type;
      };
      const auto input = std::ranges::find_if(node.inputs, is_held_alike);
      if (input == node.inputs.end()) continue;
      if (const auto type = graph_.element_types.find(*input); type != graph_.element_types.end())
        graph_.element_types.emplace(output, type->second);
    }
  }

  /// Returns what `step` gives of one of the nodes. Where symbolic dimensions are to be equal, they are from
  /// then on, in all nodes.
  template <typename Step>
  auto assuming(std::vector<Node>& nodes, std::size_t of, const Step& step) -> decltype(step()) {
    constexpr int kMostAssumptions = 16;  // of a node: one for each dimension, and a few of them again
    for (int i = 0;; ++i) {
      try {
        return step();
      } catch (const ops::UnequalSizes& unequal) {
        const auto assumed = i < kMostAssumptions ? assume_sizes(graph_, nodes[of], unequal)
                                                  : std::optional<ops::AssumedSize>();
        if (!assumed) throw;
        for (Node& node : nodes) substitute(node, *assumed);
        for (Node& node : waiting_) substitute(node, *assumed);
      }
    }
  }

  std::vector<Node> normalize_assuming(std::vector<Node>& nodes, std::size_t i, std::int64_t opset) {
    return assuming(nodes, i, [&] { return normalize_node(graph_, nodes[i], opset, taken_); });
  }

  void infer_shapes_assuming(std::vector<Node>& nodes, std::size_t i) {
    assuming(nodes, i, [&] { infer_shapes(graph_, nodes[i]); });
  }

  Graph& graph_;
  Bodies& bodies_;
  std::set<std::string>& taken_;
  const Evaluator& evaluate_;
  const std::map<std::string, Buffer>& values_;
  const std::function<void(std::int64_t bytes)>& reserve_;
  std::deque<Node> waiting_;  // that are not normalized yet
};

}  // namespace

void normalize_nodes(Graph& graph, Bodies& bodies, std::set<std::string>& taken, const Evaluator& evaluate,
                     const std::map<std::string, Buffer>& values,
                     const std::function<void(std::int64_t bytes)>& reserve) {
  NodeNormalizer(graph, bodies, taken, evaluate, values, reserve).run();
}

}  // namespace tensordsl::onnx
