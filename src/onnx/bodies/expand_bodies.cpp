// Expands nodes with a body; here, If and calls of functions.
#include <algorithm>

#include "base/text/printable.h"
#include "onnx/bodies/bodies.h"
#include "onnx/bodies/body_parts.h"
#include "onnx/file/read_tensor.h"
#include "onnx/rewrite/order_nodes.h"
#include "ops/normalize/computed_operand.h"

namespace tensordsl::onnx {
namespace {

using ops::Node;
using ops::Size;

/// More make no model: each is planned by itself.
constexpr std::int64_t kMostNodes = 100000;

/// Defaults of attributes, which functions have from ONNX 1.13 on; older headers do not know the field.
template <typename Function>
std::vector<::onnx::AttributeProto> default_attributes(const Function& function) {
  std::vector<::onnx::AttributeProto> defaults;
  if constexpr (requires { function.attribute_proto(); }) {
    defaults.assign(function.attribute_proto().begin(), function.attribute_proto().end());
  } else {
    constexpr int kField = 11;
    const auto& unknown = function.unknown_fields();
    for (int i = 0; i < unknown.field_count(); ++i) {
      const auto& field = unknown.field(i);
      ::onnx::AttributeProto attribute;
      if (field.number() == kField && field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED &&
          attribute.ParseFromString(field.length_delimited()))
        defaults.push_back(std::move(attribute));
    }
  }
  return defaults;
}
}  // namespace

std::optional<std::vector<Node>> Bodies::expand(const Node& node) {
  const auto found = bodies_.find(node.outputs.back());
  if (found == bodies_.end() || found->second.proto->op_type() != node.op) return std::nullopt;
  Body& body = found->second;
  if (function_of(*body.proto)) return expand_function(node, body);
  if (node.op == "If") return expand_if(node, body);
  return node.op == "Loop" ? expand_loop(node, body) : expand_scan(node, body);
}

std::shared_ptr<Bodies::Scope> Bodies::scope_in(const Body& body) const {
  auto scope = std::make_shared<Scope>();
  // The model's graph is the one without anything outside.
  scope->outer = body.scope;
  scope->opset = body.scope->opset;
  return scope;
}

/// The nodes of a body whose inputs are in `scope`.
std::vector<Node> Bodies::instance(const Node& node, const ::onnx::GraphProto& graph,
                                   const std::shared_ptr<Scope>& scope, const std::string& prefix) {
  nodes_ += graph.node_size() + 1;
  if (nodes_ > kMostNodes) refuse_node(node, "expanding it would make more than {} nodes", kMostNodes);
  if (graph.sparse_initializer_size() > 0)
    refuse_node(node, "sparse initializers of a body are not supported");
  for (const auto& tensor : graph.initializer()) {
    if (tensor.name().empty() || !is_printable(tensor.name()))
      refuse_node(node, "the initializer '{}' has a name that is not printable text",
                  printable(tensor.name()));
    auto known = constants_.find(&tensor);
    if (known == constants_.end()) {
      known = constants_.emplace(&tensor, fresh(prefix + tensor.name())).first;
      add_constant_(known->second, read_tensor(tensor, folder_), tensor.data_type());
    }
    scope->names.insert_or_assign(tensor.name(), known->second);
  }
  std::set<std::string> used;
  for (const auto& output : graph.output()) used.insert(output.name());
  Graph ordered;
  ordered.nodes = read(pointers(graph.node()), scope, std::move(used), prefix);
  order_nodes(ordered);
  return std::move(ordered.nodes);
}

const Buffer* Bodies::constant(const std::string& tensor) const {
  const auto found = graph_.constants.find(tensor);
  return found == graph_.constants.end() || found->second.elements() != 1 ? nullptr : &found->second;
}

void Bodies::refuse_computed(const Node& node, const char* what, const std::string& tensor) const {
  std::set<std::string> wanted{tensor};
  for (auto maker = graph_.nodes.rbegin(); maker != graph_.nodes.rend(); ++maker) {
    if (std::ranges::any_of(maker->outputs, [&](const std::string& made) { return wanted.contains(made); }))
      wanted.insert(maker->inputs.begin(), maker->inputs.end());
  }
  std::string from;
  std::vector<std::string> choices;
  for (const std::string& name : wanted) {
    if (!graph_.is_input(name)) continue;
    if (name != tensor) from += fmt::format("{} '{}'", from.empty() ? " from" : ",", name);
    if (is_choice(graph_.info(name))) choices.push_back(name);
  }
  // Suggests to fix the sizes without which the tensor is not a constant.
  Size open = 0;
  for (const std::string& name : wanted) {
    const auto sizes = graph_.sizes.find(name);
    if (sizes == graph_.sizes.end()) continue;
    for (const Size& size : sizes->second) open += size.is_known() || size.has_count() ? Size(0) : size;
  }
  ops::refuse_computed(
      fmt::format("{}: the {} '{}' is computed when the model runs{}; supported: a constant{}", label(node),
                  what, tensor, from, open.is_known() ? "" : "; " + how_to_know(open)),
      choices);
}

std::vector<Node> Bodies::expand_if(const Node& node, const Body& body) {
  const Buffer* condition = body.inputs == 1 ? constant(node.inputs[0]) : nullptr;
  if (!condition) refuse_computed(node, "condition", node.input(0));
  const ::onnx::GraphProto& branch =
      body_graph(node, *body.proto, condition->get(0) != 0 ? "then_branch" : "else_branch");
  if (static_cast<std::size_t>(branch.output_size()) < node.outputs.size())
    refuse_node(node, "the branch has {} outputs, but the node has {}", branch.output_size(),
                node.outputs.size());
  const auto scope = scope_in(body);
  std::vector<Node> nodes = instance(node, branch, scope, node.outputs[0] + ".");
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    nodes.push_back(
        identity(node, resolve(*scope, branch.output(static_cast<int>(i)).name()), node.outputs[i]));
  return nodes;
}
std::vector<Node> Bodies::expand_function(const Node& node, const Body& body) {
  const ::onnx::FunctionProto& function = *function_of(*body.proto);
  nodes_ += function.node_size() + 1;
  if (nodes_ > kMostNodes) refuse_node(node, "expanding it would make more than {} nodes", kMostNodes);
  if (node.outputs.size() > static_cast<std::size_t>(function.output_size()) ||
      body.inputs > static_cast<std::size_t>(function.input_size())) {
    refuse_node(node, "the function has {} inputs and {} outputs, but the node has {} and {}",
                function.input_size(), function.output_size(), body.inputs, node.outputs.size());
  }
  auto scope = std::make_shared<Scope>();
  scope->is_function = true;
  scope->opset = opset_in(function, body.scope->opset);
  for (int i = 0; i < function.input_size(); ++i) {
    const bool is_given = static_cast<std::size_t>(i) < body.inputs;
    scope->names.insert_or_assign(function.input(i),
                                  is_given ? node.inputs[static_cast<std::size_t>(i)] : "");
  }
  for (const ::onnx::AttributeProto& attribute : default_attributes(function))
    scope->attributes.insert_or_assign(attribute.name(), attribute);
  for (const ::onnx::AttributeProto& attribute : body.proto->attribute())
    scope->attributes.insert_or_assign(attribute.name(), attribute);

  Graph ordered;
  ordered.nodes = read(pointers(function.node()), scope, {function.output().begin(), function.output().end()},
                       node.outputs[0] + ".");
  order_nodes(ordered);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    ordered.nodes.push_back(
        identity(node, resolve(*scope, function.output(static_cast<int>(i))), node.outputs[i]));
  }
  return std::move(ordered.nodes);
}

}  // namespace tensordsl::onnx
