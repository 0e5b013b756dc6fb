#include "onnx/normalize_node.h"

#include <fmt/format.h>

#include "ops/operator_table.h"

namespace tensordsl {
namespace {

class GraphContext : public NodeContext {
 public:
  GraphContext(Graph& graph, std::int64_t opset, std::set<std::string>& taken)
      : graph_(graph), opset_(opset), taken_(taken) {}

  std::int64_t opset() const override { return opset_; }
  const TensorInfo& info(const std::string& tensor) const override { return graph_.info(tensor); }
  const Buffer* constant(const std::string& tensor) const override {
    const auto found = graph_.constants.find(tensor);
    return found == graph_.constants.end() ? nullptr : &found->second;
  }
  const Sizes* sizes(const std::string& tensor) const override {
    const auto found = graph_.sizes.find(tensor);
    return found == graph_.sizes.end() ? nullptr : &found->second;
  }
  std::string fresh_tensor(const std::string& base) override {
    std::string name = base;
    for (int i = 2; !taken_.insert(name).second; ++i) name = fmt::format("{}.{}", base, i);
    return name;
  }
  void add_constant(const std::string& tensor, Buffer value) override {
    graph_.add_constant(tensor, std::move(value));
  }

 private:
  Graph& graph_;
  std::int64_t opset_;
  std::set<std::string>& taken_;
};

}  // namespace

std::vector<Node> normalize_node(Graph& graph, Node node, std::int64_t opset, std::set<std::string>& taken) {
  const OperatorSpec* spec = node.definition ? nullptr : find_operator(node.op);
  if (!spec || !spec->normalize) return {std::move(node)};
  if (!spec->infer) check_attributes(*spec, node.attributes);
  GraphContext context(graph, opset, taken);
  return spec->normalize(context, std::move(node));
}

}  // namespace tensordsl
