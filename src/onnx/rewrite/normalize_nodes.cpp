#include "onnx/rewrite/normalize_nodes.h"

#include <fmt/format.h>

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
#include "onnx/shapes/assume_sizes.h"
#include "onnx/shapes/infer_shapes.h"
#include "ops/assumed_sizes.h"
#include "ops/element_types.h"
#include "ops/node_rules.h"
#include "ops/normalize/computed_operand.h"
#include "ops/operator_spec.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

using ops::Node;

/// The graph as the rules of operators ask it and add to it.
class GraphContext : public ops::NodeContext {
 public:
  GraphContext(Graph& graph, std::int64_t opset, std::set<std::string>& taken)
      : graph_(graph), opset_(opset), taken_(taken) {}

  std::int64_t opset() const override { return opset_; }
  const ops::TensorInfo& info(const std::string& tensor) const override { return graph_.info(tensor); }
  std::int64_t element_type(const std::string& tensor) const override {
    const auto found = graph_.element_types.find(tensor);
    return found == graph_.element_types.end() ? ops::element_type_number(info(tensor).type) : found->second;
  }
  void set_element_type(const std::string& tensor, std::int64_t number) override {
    graph_.element_types.insert_or_assign(tensor, number);
  }
  const Buffer* constant(const std::string& tensor) const override {
    const auto found = graph_.constants.find(tensor);
    return found == graph_.constants.end() ? nullptr : &found->second;
  }
  const ops::Sizes* sizes(const std::string& tensor) const override {
    const auto found = graph_.sizes.find(tensor);
    return found == graph_.sizes.end() ? nullptr : &found->second;
  }
  std::vector<std::string> inputs_behind(const std::string& tensor) const override {
    std::set<std::string> wanted{tensor}, inputs;
    for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node) {
      if (std::ranges::any_of(node->outputs,
                              [&](const std::string& output) { return wanted.contains(output); }))
        wanted.insert(node->inputs.begin(), node->inputs.end());
    }
    for (const std::string& name : wanted) {
      if (graph_.is_input(name)) inputs.insert(name);
    }
    return {inputs.begin(), inputs.end()};
  }
  std::string fresh_tensor(const std::string& base) override {
    std::string name = base;
    for (int i = 2; !taken_.insert(name).second; ++i) name = fmt::format("{}.{}", base, i);
    return name;
  }
  void add_constant(const std::string& tensor, Buffer value) override {
    graph_.add_constant(tensor, std::move(value));
  }
  ops::Size add_count(const std::string& tensor, const ops::Size& bound) override {
    return graph_.add_count(tensor, bound);
  }

 private:
  Graph& graph_;
  std::int64_t opset_;
  std::set<std::string>& taken_;
};

/// Brings `node`, written in the operator set `opset` (6 or later), into the one form that
/// ops/operator_spec.h describes; an old Softmax, a variadic Min or Max and a Clip with computed bounds
/// become several nodes. `taken` has every tensor name of the model; names made here are added to it. Needs:
/// the node's inputs are in graph.tensors. Throws ModelError naming the node if an operand that must be known
/// at compile time is not a constant.
std::vector<Node> normalize_node(Graph& graph, Node node, std::int64_t opset, std::set<std::string>& taken) {
  const ops::OperatorSpec* spec = node.definition ? nullptr : ops::find_operator(node.op);
  if (!spec || !spec->normalize) return {std::move(node)};
  GraphContext context(graph, opset, taken);
  const std::string name = label(node);
  const auto named = [&](const Error& error) {
    const std::string text = error.what();
    if (text.starts_with(name)) return text;
    // A rule may have given the node the name of another operator.
    const std::string of_operator = name.substr(0, name.rfind('(') + 1);
    const bool is_renamed = text.starts_with(of_operator) && text.find("): ") != std::string::npos;
    return fmt::format("{}: {}", name, is_renamed ? text.substr(text.find("): ") + 3) : text);
  };
  try {
    if (!spec->infer) check_node(*spec, node);
    return spec->normalize(context, std::move(node));
  } catch (const ops::UnequalSizes& error) {
    throw ops::UnequalSizes(named(error), error.a, error.b);
  } catch (const ShapeError& error) {
    throw ShapeError(named(error));
  } catch (const ops::ComputedOperand& error) {
    throw ops::ComputedOperand(named(error), error.inputs(), error.tensor(), error.sources());
  } catch (const ModelError& error) {
    throw ModelError(named(error));
  }
}

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
  /// Makes the tensor the constant that it is known to be; the computed one gets another name.
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

  /// Gives outputs the element type of the first input held in the same type, unless the operator's rule has
  /// set it.
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

  /// Returns the result of `step` for one of the nodes. Symbolic dimensions that must be equal become equal,
  /// in all nodes.
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
