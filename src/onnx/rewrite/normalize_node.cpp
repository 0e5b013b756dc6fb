#include "onnx/rewrite/normalize_node.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/assumed_sizes.h"
#include "ops/element_types.h"
#include "ops/normalize/computed_operand.h"
#include "ops/operator_spec.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

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

}  // namespace

std::vector<ops::Node> normalize_node(Graph& graph, ops::Node node, std::int64_t opset,
                                      std::set<std::string>& taken) {
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

}  // namespace tensordsl::onnx
