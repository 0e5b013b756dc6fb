#include "onnx/bodies/bodies.h"

#include <algorithm>

#include "base/text/printable.h"
#include "onnx/bodies/body_parts.h"
#include "ops/node_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::onnx {
namespace {

using ops::Node;

constexpr std::size_t kMostCalls = 32;  // of functions within functions

bool names_control_flow(const std::string& op) { return op == "If" || op == "Loop" || op == "Scan"; }
/// A node that calls a function: its attributes depend on the function.
Node read_call(const ::onnx::NodeProto& proto) {
  ::onnx::NodeProto call = proto;
  call.clear_attribute();
  Node result = read_node(call, {}, OperatorTable());
  result.op = proto.op_type();
  return result;
}
}  // namespace

Bodies::Bodies(const ::onnx::ModelProto& model, const std::filesystem::path& folder, Graph& graph,
               const OperatorTable& operators, const Steps& steps, std::set<std::string>& names,
               AddConstant add_constant)
    : model_(model),
      folder_(folder),
      graph_(graph),
      operators_(operators),
      steps_(steps),
      names_(names),
      add_constant_(std::move(add_constant)) {}

const ::onnx::FunctionProto* Bodies::function_of(const ::onnx::NodeProto& node) const {
  const auto found = std::ranges::find_if(model_.functions(), [&](const ::onnx::FunctionProto& function) {
    const bool is_same_domain = function.domain() == node.domain() ||
                                (is_own_domain(function.domain()) && is_own_domain(node.domain()));
    return function.name() == node.op_type() && is_same_domain;
  });
  return found == model_.functions().end() ? nullptr : &*found;
}

bool Bodies::has_body(const ::onnx::NodeProto& node) const {
  return function_of(node) || (is_own_domain(node.domain()) && names_control_flow(node.op_type()));
}

void Bodies::require_supported() const {
  std::vector<const ::onnx::FunctionProto*> callers;
  require_supported(pointers(model_.graph().node()), graph_.opset, callers);
}

void Bodies::require_supported(const Protos& nodes, std::int64_t opset,
                               std::vector<const ::onnx::FunctionProto*>& callers) const {
  for (const ::onnx::NodeProto* node : nodes) {
    if (const ::onnx::FunctionProto* function = function_of(*node)) {
      if (callers.size() == kMostCalls || std::ranges::find(callers, function) != callers.end()) {
        throw ModelError(fmt::format("node '{}': the function {} calls itself, or the calls nest too deep",
                                     printable(node->name()), printable(function->name())));
      }
      callers.push_back(function);
      require_supported(pointers(function->node()), opset_in(*function, opset), callers);
      callers.pop_back();
      continue;
    }
    onnx::require_supported(*node, opset, operators_);
    for (const ::onnx::AttributeProto& attribute : node->attribute()) {
      if (attribute.has_g()) require_supported(pointers(attribute.g().node()), opset, callers);
    }
  }
}

std::set<std::string> Bodies::names_from_outside(const ::onnx::GraphProto& graph) {
  std::set<std::string> used, defined;
  for (const auto& value : graph.input()) defined.insert(value.name());
  for (const auto& tensor : graph.initializer()) defined.insert(tensor.name());
  for (const auto& node : graph.node()) {
    used.insert(node.input().begin(), node.input().end());
    defined.insert(node.output().begin(), node.output().end());
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) used.merge(names_from_outside(attribute.g()));
    }
  }
  for (const auto& value : graph.output()) used.insert(value.name());
  used.erase("");
  std::erase_if(used, [&](const std::string& name) { return defined.contains(name); });
  return used;
}

std::string Bodies::fresh(const std::string& base) {
  std::string name = base;
  for (int i = 2; !names_.insert(name).second; ++i) name = fmt::format("{}.{}", base, i);
  return name;
}

std::string Bodies::resolve(const Scope& scope, const std::string& name) const {
  if (name.empty()) return "";
  for (const Scope* s = &scope; s->outer || s->is_function; s = s->outer.get()) {
    if (const auto found = s->names.find(name); found != s->names.end()) return found->second;
    if (s->is_function)
      throw ModelError(fmt::format("tensor '{}' is not defined in the function", printable(name)));
  }
  return name;
}

const ::onnx::NodeProto& Bodies::with_attributes(const ::onnx::NodeProto& node, const Scope& scope) {
  const auto refers = [](const ::onnx::AttributeProto& attribute) {
    return !attribute.ref_attr_name().empty();
  };
  if (std::ranges::none_of(node.attribute(), refers)) return node;
  const Scope* call = &scope;
  while (call->outer && !call->is_function) call = call->outer.get();
  const auto bound = std::make_shared<::onnx::NodeProto>(node);
  bound_.push_back(bound);
  ::onnx::NodeProto& result = *bound;
  result.clear_attribute();
  for (const ::onnx::AttributeProto& attribute : node.attribute()) {
    if (!refers(attribute)) {
      *result.add_attribute() = attribute;
      continue;
    }
    const auto given = call->attributes.find(attribute.ref_attr_name());
    if (given == call->attributes.end()) continue;  // the operator's default
    ::onnx::AttributeProto& value = *result.add_attribute();
    value = given->second;
    value.set_name(attribute.name());
  }
  return result;
}

void Bodies::define_outputs(const ::onnx::NodeProto& proto, Scope& scope, const std::string& prefix) {
  bool has_output = false;
  for (const std::string& output : proto.output()) {
    if (output.empty()) continue;
    has_output = true;
    if (!is_printable(output)) {
      throw ModelError(
          fmt::format("the output of a node '{}' has a name that is not printable text", printable(output)));
    }
    const bool is_new =
        prefix.empty() ? names_.insert(output).second : scope.names.emplace(output, "").second;
    if (!is_new)
      throw ModelError(
          fmt::format("tensor '{}' is defined twice, the second time as output of a node", output));
    if (!prefix.empty()) scope.names[output] = fresh(prefix + output);
  }
  if (!has_output) {
    throw ModelError(
        fmt::format("node '{}' ({}) has no output", printable(proto.name()), printable(proto.op_type())));
  }
}

namespace {

/// Drops trailing outputs that are not read, which is required for those that the operator's definition does
/// not give. If there may be any number of outputs, none goes, because the number says what each is.
void drop_outputs(Node& node, std::size_t most, const std::set<std::string>& used) {
  if (most == ops::tables::kAny) return;
  while (node.outputs.size() > 1 && !used.contains(node.outputs.back())) node.outputs.pop_back();
  for (std::size_t i = most; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty() || !used.contains(node.outputs[i])) continue;
    const std::string supported = most == 1 ? "output 0" : fmt::format("outputs 0 to {}", most - 1);
    throw ModelError(fmt::format("{}: its output {} ('{}') is used; supported: {}", label(node), i,
                                 printable(node.outputs[i]), supported));
  }
}

}  // namespace

/// Gives a name to each omitted output that precedes a used one, so that later passes can index every output.
void Bodies::name_outputs(Node& node) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) node.outputs[i] = fresh(fmt::format("{}.output{}", node.outputs.back(), i));
  }
}

std::vector<Node> Bodies::read() {
  const auto& graph = model_.graph();
  auto scope = std::make_shared<Scope>();
  scope->opset = graph_.opset;
  std::set<std::string> used;
  for (const auto& output : graph.output()) used.insert(output.name());
  return read(pointers(graph.node()), scope, std::move(used), "");
}

std::vector<Node> Bodies::read(const Protos& protos, const std::shared_ptr<Scope>& scope,
                               std::set<std::string> used, const std::string& prefix) {
  for (const ::onnx::NodeProto* proto : protos) {
    used.insert(proto->input().begin(), proto->input().end());
    for (const auto& attribute : proto->attribute()) {
      if (attribute.has_g()) used.merge(names_from_outside(attribute.g()));
    }
    define_outputs(*proto, *scope, prefix);
  }
  std::vector<Node> nodes;
  for (const ::onnx::NodeProto* given : protos) {
    const ::onnx::NodeProto& proto = with_attributes(*given, *scope);
    if (proto.op_type() == "Constant" && !function_of(proto)) {
      if (prefix.empty()) {
        add_constant_(proto.output(0), read_constant(proto, folder_), constant_type(proto));
        continue;
      }
      const auto [known, is_new] = constants_.emplace(&proto, scope->names.at(proto.output(0)));
      if (is_new) add_constant_(known->second, read_constant(proto, folder_), constant_type(proto));
      scope->names[proto.output(0)] = known->second;
      continue;
    }
    const bool is_whole = has_body(proto);
    Node node = function_of(proto) ? read_call(proto) : read_node(proto, folder_, operators_);
    if (!is_whole) drop_outputs(node, most_outputs(node), used);
    for (std::string& output : node.outputs) output = resolve(*scope, output);
    while (node.outputs.size() > 1 && node.outputs.back().empty()) node.outputs.pop_back();
    name_outputs(node);
    for (std::string& input : node.inputs) {
      input = resolve(*scope, input);
      if (!prefix.empty() && !input.empty() && !names_.contains(input))
        refuse_node(node, "its input '{}' is not defined: no input, initializer or node output has this name",
                    printable(input));
    }
    if (is_whole) {
      bodies_.insert_or_assign(node.outputs.back(), Body{&proto, scope, node.inputs.size(), 0, {}, {}});
      for (const auto& attribute : proto.attribute()) {
        if (!attribute.has_g()) continue;
        for (const std::string& name : names_from_outside(attribute.g()))
          node.inputs.push_back(resolve(*scope, name));
      }
    }
    if (scope->opset != graph_.opset) opsets_.insert_or_assign(node.outputs.back(), scope->opset);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::int64_t Bodies::opset_of(const Node& node) const {
  const auto found = opsets_.find(node.outputs.back());
  return found == opsets_.end() ? graph_.opset : found->second;
}

}  // namespace tensordsl::onnx
