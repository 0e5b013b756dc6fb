#include "onnx/bodies.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "onnx/order_nodes.h"
#include "onnx/printable.h"
#include "onnx/read_node.h"
#include "onnx/read_tensor.h"
#include "ops/node_rules.h"
#include "ops/tables/tables.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

/// More make no model: each is planned by itself.
constexpr std::int64_t kMostNodes = 100000;
constexpr std::size_t kMostCalls = 32;  // of functions within functions

template <typename... Arguments>
[[noreturn]] void refuse(const Node& node, fmt::format_string<Arguments...> format,
                         Arguments&&... arguments) {
  throw ModelError(
      fmt::format("{}: {}", label(node), fmt::format(format, std::forward<Arguments>(arguments)...)));
}

bool is_control_flow(const std::string& op) { return op == "If" || op == "Loop" || op == "Scan"; }

const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, const std::string& name) {
  const auto found = std::ranges::find_if(
      node.attribute(), [&](const onnx::AttributeProto& attribute) { return attribute.name() == name; });
  return found == node.attribute().end() ? nullptr : &*found;
}

const onnx::GraphProto& body_graph(const Node& node, const onnx::NodeProto& proto, const std::string& name) {
  const onnx::AttributeProto* attribute = find_attribute(proto, name);
  if (!attribute || !attribute->has_g()) refuse(node, "attribute {} is missing", name);
  return attribute->g();
}

Ints ints_attribute(const Node& node, const std::string& name, std::size_t count) {
  Ints values = node.attributes.get<Ints>(name, Ints(count, 0));
  if (values.size() != count)
    refuse(node, "attribute {} = {} has {} values; {} are needed", name, to_string(values), values.size(),
           count);
  return values;
}

template <typename Nodes>
std::vector<const onnx::NodeProto*> pointers(const Nodes& nodes) {
  std::vector<const onnx::NodeProto*> result;
  for (const onnx::NodeProto& node : nodes) result.push_back(&node);
  return result;
}

std::int64_t opset_in(const onnx::FunctionProto& function, std::int64_t outside) {
  for (const auto& set : function.opset_import()) {
    if (is_own_domain(set.domain())) return set.version();
  }
  return outside;
}

/// Defaults of attributes, which functions have from ONNX 1.13 on; older headers do not know the field.
template <typename Function>
std::vector<onnx::AttributeProto> default_attributes(const Function& function) {
  std::vector<onnx::AttributeProto> defaults;
  if constexpr (requires { function.attribute_proto(); }) {
    defaults.assign(function.attribute_proto().begin(), function.attribute_proto().end());
  } else {
    constexpr int kField = 11;
    const auto& unknown = function.unknown_fields();
    for (int i = 0; i < unknown.field_count(); ++i) {
      const auto& field = unknown.field(i);
      onnx::AttributeProto attribute;
      if (field.number() == kField && field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED &&
          attribute.ParseFromString(field.length_delimited()))
        defaults.push_back(std::move(attribute));
    }
  }
  return defaults;
}

/// A node that calls a function: what its attributes are is the function's affair.
Node read_call(const onnx::NodeProto& proto) {
  onnx::NodeProto call = proto;
  call.clear_attribute();
  return read_node(call, {}, OperatorTable());
}

Node identity(const Node& of, const std::string& from, const std::string& to) {
  return {of.name, "Identity", {from}, {to}, {}};
}

Attributes with(const char* name, Attributes::Value value) {
  Attributes attributes;
  attributes.set(name, std::move(value));
  return attributes;
}

}  // namespace

/// What the names in a body mean.
struct Bodies::Scope {
  std::map<std::string, std::string> names;  ///< tensors that the body defines
  ScopePtr outer;                            ///< null: the model's graph, whose names are what they are
  bool is_function = false;                  ///< sees nothing outside
  std::map<std::string, onnx::AttributeProto> attributes;  ///< of the call of a function
  std::int64_t opset = 0;
};

Bodies::Bodies(const onnx::ModelProto& model, const std::filesystem::path& folder, const Graph& graph,
               const OperatorTable& operators, std::set<std::string>& names, AddConstant add_constant)
    : model_(model),
      folder_(folder),
      graph_(graph),
      operators_(operators),
      names_(names),
      add_constant_(std::move(add_constant)) {}

const onnx::FunctionProto* Bodies::function_of(const onnx::NodeProto& node) const {
  const auto found = std::ranges::find_if(model_.functions(), [&](const onnx::FunctionProto& function) {
    const bool is_same_domain = function.domain() == node.domain() ||
                                (is_own_domain(function.domain()) && is_own_domain(node.domain()));
    return function.name() == node.op_type() && is_same_domain;
  });
  return found == model_.functions().end() ? nullptr : &*found;
}

bool Bodies::has_body(const onnx::NodeProto& node) const {
  return function_of(node) || (is_own_domain(node.domain()) && is_control_flow(node.op_type()));
}

void Bodies::require_supported() const {
  std::vector<const onnx::FunctionProto*> callers;
  require_supported(pointers(model_.graph().node()), graph_.opset, callers);
}

void Bodies::require_supported(const Protos& nodes, std::int64_t opset,
                               std::vector<const onnx::FunctionProto*>& callers) const {
  for (const onnx::NodeProto* node : nodes) {
    if (const onnx::FunctionProto* function = function_of(*node)) {
      if (callers.size() == kMostCalls || std::ranges::find(callers, function) != callers.end()) {
        throw ModelError(fmt::format("node '{}': the function {} calls itself, or too many others in turn",
                                     printable(node->name()), printable(function->name())));
      }
      callers.push_back(function);
      require_supported(pointers(function->node()), opset_in(*function, opset), callers);
      callers.pop_back();
      continue;
    }
    tensordsl::require_supported(*node, opset, operators_);
    for (const onnx::AttributeProto& attribute : node->attribute()) {
      if (attribute.has_g()) require_supported(pointers(attribute.g().node()), opset, callers);
    }
  }
}

std::set<std::string> Bodies::names_from_outside(const onnx::GraphProto& graph) {
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
      throw ModelError(fmt::format("tensor '{}' of a function is not defined in it", printable(name)));
  }
  return name;
}

const onnx::NodeProto& Bodies::with_attributes(const onnx::NodeProto& node, const Scope& scope) {
  const auto refers = [](const onnx::AttributeProto& attribute) {
    return !attribute.ref_attr_name().empty();
  };
  if (std::ranges::none_of(node.attribute(), refers)) return node;
  const Scope* call = &scope;
  while (call->outer && !call->is_function) call = call->outer.get();
  const auto bound = std::make_shared<onnx::NodeProto>(node);
  bound_.push_back(bound);
  onnx::NodeProto& result = *bound;
  result.clear_attribute();
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (!refers(attribute)) {
      *result.add_attribute() = attribute;
      continue;
    }
    const auto given = call->attributes.find(attribute.ref_attr_name());
    if (given == call->attributes.end()) continue;  // the operator's default
    onnx::AttributeProto& value = *result.add_attribute();
    value = given->second;
    value.set_name(attribute.name());
  }
  return result;
}

void Bodies::define_outputs(const onnx::NodeProto& proto, Scope& scope, const std::string& prefix) {
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

/// Outputs at the end that nobody reads go, as those must that the operator's definition does not give. Where
/// there may be any number of them, the number says what each of them is.
void drop_outputs(Node& node, std::size_t most, const std::set<std::string>& used) {
  if (most == tables::kAny) return;
  while (node.outputs.size() > 1 && !used.contains(node.outputs.back())) node.outputs.pop_back();
  for (std::size_t i = most; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty() || !used.contains(node.outputs[i])) continue;
    const std::string supported = most == 1 ? "output 0" : fmt::format("outputs 0 to {}", most - 1);
    throw ModelError(fmt::format("{}: its output {} ('{}') is used; supported: {}", label(node), i,
                                 printable(node.outputs[i]), supported));
  }
}

}  // namespace

/// One that is left out before one that is read gets a name, so that all that is known of tensors is known of
/// it.
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
  for (const onnx::NodeProto* proto : protos) {
    used.insert(proto->input().begin(), proto->input().end());
    for (const auto& attribute : proto->attribute()) {
      if (attribute.has_g()) used.merge(names_from_outside(attribute.g()));
    }
    define_outputs(*proto, *scope, prefix);
  }
  std::vector<Node> nodes;
  for (const onnx::NodeProto* given : protos) {
    const onnx::NodeProto& proto = with_attributes(*given, *scope);
    if (proto.op_type() == "Constant" && !function_of(proto)) {
      if (prefix.empty()) {
        add_constant_(proto.output(0), read_constant(proto, folder_));
        continue;
      }
      const auto [known, is_new] = constants_.emplace(&proto, scope->names.at(proto.output(0)));
      if (is_new) add_constant_(known->second, read_constant(proto, folder_));
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
        refuse(node, "its input '{}' is not defined: no input, initializer or node output has that name",
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
std::vector<Node> Bodies::instance(const Node& node, const onnx::GraphProto& graph,
                                   const std::shared_ptr<Scope>& scope, const std::string& prefix) {
  nodes_ += graph.node_size() + 1;
  if (nodes_ > kMostNodes) refuse(node, "with it bodies become more than {} nodes", kMostNodes);
  if (graph.sparse_initializer_size() > 0) refuse(node, "sparse initializers of a body are not supported");
  for (const auto& tensor : graph.initializer()) {
    if (tensor.name().empty() || !is_printable(tensor.name()))
      refuse(node, "the initializer '{}' has a name that is not printable text", printable(tensor.name()));
    auto known = constants_.find(&tensor);
    if (known == constants_.end()) {
      known = constants_.emplace(&tensor, fresh(prefix + tensor.name())).first;
      add_constant_(known->second, read_tensor(tensor, folder_));
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
  for (const std::string& name : wanted) {
    if (graph_.is_input(name) && name != tensor)
      from += fmt::format("{} '{}'", from.empty() ? " from" : ",", name);
  }
  refuse(node, "the {} '{}' is computed when the model runs{}; supported: a constant", what, tensor, from);
}

std::vector<Node> Bodies::expand_if(const Node& node, const Body& body) {
  const Buffer* condition = body.inputs == 1 ? constant(node.inputs[0]) : nullptr;
  if (!condition) refuse_computed(node, "condition", node.input(0));
  const onnx::GraphProto& branch =
      body_graph(node, *body.proto, condition->get(0) != 0 ? "then_branch" : "else_branch");
  if (static_cast<std::size_t>(branch.output_size()) < node.outputs.size())
    refuse(node, "the branch has {} outputs; the node {}", branch.output_size(), node.outputs.size());
  const auto scope = scope_in(body);
  std::vector<Node> nodes = instance(node, branch, scope, node.outputs[0] + ".");
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    nodes.push_back(
        identity(node, resolve(*scope, branch.output(static_cast<int>(i)).name()), node.outputs[i]));
  return nodes;
}

std::vector<Node> Bodies::expand_loop(const Node& node, Body& body) {
  const onnx::GraphProto& graph = body_graph(node, *body.proto, "body");
  if (body.inputs < 2 || static_cast<std::size_t>(graph.input_size()) != body.inputs ||
      static_cast<std::size_t>(graph.output_size()) + 1 < std::max(body.inputs, node.outputs.size() + 2)) {
    refuse(node, "its body has {} inputs and {} outputs, the node {} and {}", graph.input_size(),
           graph.output_size(), body.inputs, node.outputs.size());
  }
  const std::size_t values = body.inputs - 2;
  if (body.carried.empty()) {
    body.carried.assign(node.inputs.begin() + 1,
                        node.inputs.begin() + static_cast<std::ptrdiff_t>(body.inputs));
    body.scanned.resize(static_cast<std::size_t>(graph.output_size()) - 1 - values);
  }
  const auto known = [&](const std::string& tensor, const char* what) {
    const Buffer* value = constant(tensor);
    if (!value || value->type().is_float()) refuse_computed(node, what, tensor);
    return value->get_int(0);
  };
  const bool goes_on =
      (node.inputs[0].empty() || body.iteration < known(node.inputs[0], "number of iterations")) &&
      (body.carried[0].empty() || known(body.carried[0], "condition") != 0);
  if (!goes_on) return end_loop(node, body, graph);

  const std::string prefix = fmt::format("{}.{}.", node.outputs[0], body.iteration);
  const auto scope = scope_in(body);
  const std::string iteration = fresh(prefix + "iteration");
  Buffer number(Int(64), {});
  number.set_int(0, body.iteration++);
  add_constant_(iteration, std::move(number));
  if (body.carried[0].empty()) {
    body.carried[0] = fresh(prefix + "condition");
    Buffer yes(Bool(), {});
    yes.set(0, 1);
    add_constant_(body.carried[0], std::move(yes));
  }
  scope->names.emplace(graph.input(0).name(), iteration);
  for (std::size_t i = 0; i <= values; ++i)
    scope->names.insert_or_assign(graph.input(static_cast<int>(i) + 1).name(), body.carried[i]);
  std::vector<Node> nodes = instance(node, graph, scope, prefix);
  for (std::size_t i = 0; i < static_cast<std::size_t>(graph.output_size()); ++i) {
    const std::string name = resolve(*scope, graph.output(static_cast<int>(i)).name());
    (i <= values ? body.carried[i] : body.scanned[i - values - 1].emplace_back()) = name;
  }
  nodes.push_back(node);
  return nodes;
}

std::vector<Node> Bodies::end_loop(const Node& node, const Body& body, const onnx::GraphProto& graph) {
  const std::size_t values = body.inputs - 2;
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (i < values) {
      nodes.push_back(identity(node, body.carried[i + 1], node.outputs[i]));
      continue;
    }
    const std::vector<std::string>& parts = body.scanned[i - values];
    if (parts.empty()) {
      const auto& type = graph.output(static_cast<int>(i) + 1).type().tensor_type();
      Ints shape{0};
      for (const auto& dim : type.shape().dim()) shape.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
      if (!type.has_shape() || std::ranges::any_of(shape, [](std::int64_t extent) { return extent < 0; }))
        refuse(node, "it has no iterations, and its body does not say of which shape output {} is", i);
      const std::string empty = fresh(node.outputs[i] + ".empty");
      add_constant_(empty, Buffer(read_type(type.elem_type(), label(node)), shape));
      nodes.push_back(identity(node, empty, node.outputs[i]));
      continue;
    }
    Node whole{node.name, "Concat", {}, {node.outputs[i]}, with("axis", std::int64_t{0})};
    for (const std::string& part : parts) {
      whole.inputs.push_back(fresh(node.outputs[i] + ".part"));
      nodes.push_back({node.name, "Unsqueeze", {part}, {whole.inputs.back()}, with("axes", Ints{0})});
    }
    nodes.push_back(std::move(whole));
  }
  return nodes;
}

namespace {

/// Element `at` of `extent` along `axis`, without that dimension.
std::string add_element(std::vector<Node>& nodes, const Node& of, const std::string& tensor, std::size_t rank,
                        std::int64_t axis, std::int64_t at, std::int64_t extent,
                        const std::function<std::string(const std::string&)>& fresh) {
  Ints pads(2 * rank, 0);
  pads[static_cast<std::size_t>(axis)] = -at;
  pads[static_cast<std::size_t>(axis) + rank] = at + 1 - extent;
  const std::string part = fresh(tensor + ".part"), element = fresh(tensor + ".element");
  nodes.push_back({of.name, "Pad", {tensor}, {part}, with("pads", pads)});
  nodes.push_back({of.name, "Squeeze", {part}, {element}, with("axes", Ints{axis})});
  return element;
}

}  // namespace

std::vector<Node> Bodies::expand_scan(const Node& node, const Body& body) {
  const onnx::GraphProto& graph = body_graph(node, *body.proto, "body");
  const auto fresh_name = [&](const std::string& base) { return fresh(base); };
  // Before opset 9 there is a batch in front of everything, and lengths of its sequences.
  const bool has_batch = body.scope->opset < 9;
  if (has_batch && !node.input(0).empty())
    refuse(node, "the sequence lengths '{}' are given; supported: without them", node.inputs[0]);
  std::vector<std::string> inputs(node.inputs.begin() + (has_batch ? 1 : 0),
                                  node.inputs.begin() + static_cast<std::ptrdiff_t>(body.inputs));
  const std::int64_t scans = node.attributes.get<std::int64_t>("num_scan_inputs");
  const std::size_t outputs = node.outputs.size();
  if (scans < 1 || scans > static_cast<std::int64_t>(inputs.size()) ||
      static_cast<std::size_t>(graph.input_size()) != inputs.size() ||
      static_cast<std::size_t>(graph.output_size()) <
          std::max(outputs, inputs.size() - static_cast<std::size_t>(scans))) {
    refuse(node, "its body has {} inputs, of which {} are scanned, and {} outputs; the node {} and {}",
           graph.input_size(), scans, graph.output_size(), inputs.size(), outputs);
  }
  const std::size_t scanned = static_cast<std::size_t>(scans), states = inputs.size() - scanned;
  const std::size_t results = static_cast<std::size_t>(graph.output_size()) - states;
  const Ints axes = ints_attribute(node, "scan_input_axes", scanned);
  const Ints directions = ints_attribute(node, has_batch ? "directions" : "scan_input_directions", scanned);
  const Ints output_axes = ints_attribute(node, "scan_output_axes", results);
  const Ints output_directions = ints_attribute(node, "scan_output_directions", results);

  // What is scanned, without the batch: rank, axis and number of elements.
  struct Scanned {
    std::size_t rank;
    std::int64_t axis, extent;
  };
  std::vector<Scanned> sources;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].empty()) refuse(node, "input {} is absent", i);
    const TensorInfo& info = graph_.info(inputs[i]);
    const std::size_t rank = info.shape.size() - (has_batch && !info.shape.empty() ? 1 : 0);
    if (i < states) continue;
    const std::int64_t given = axes[i - states],
                       axis = given < 0 ? given + static_cast<std::int64_t>(rank) : given;
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank))
      refuse(node, "axis {} is outside a tensor of {} dimensions", given, rank);
    const std::int64_t extent = info.shape[static_cast<std::size_t>(axis) + (has_batch ? 1 : 0)].value();
    if (extent < 1 || (!sources.empty() && extent != sources[0].extent))
      refuse(node, "'{}' is {}; what is scanned must have elements, and as many as the others", inputs[i],
             to_string(info));
    sources.push_back({rank, axis, extent});
  }

  std::vector<Node> nodes;
  const auto run = [&](std::vector<std::string> now, const std::string& name) {
    std::vector<std::vector<std::string>> parts(results);
    for (std::int64_t step = 0; step < sources[0].extent; ++step) {
      const auto scope = scope_in(body);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::string value = now[i];
        if (i >= states) {
          const Scanned& source = sources[i - states];
          const std::int64_t at = directions[i - states] == 1 ? source.extent - 1 - step : step;
          value = add_element(nodes, node, now[i], source.rank, source.axis, at, source.extent, fresh_name);
        }
        scope->names.insert_or_assign(graph.input(static_cast<int>(i)).name(), value);
      }
      for (Node& inner : instance(node, graph, scope, fmt::format("{}.{}.", name, step)))
        nodes.push_back(std::move(inner));
      for (std::size_t i = 0; i < states + results; ++i) {
        const std::string value = resolve(*scope, graph.output(static_cast<int>(i)).name());
        if (i < states) {
          now[i] = value;
          continue;
        }
        std::vector<std::string>& all = parts[i - states];
        const std::string part = fresh(value + ".part");
        nodes.push_back(
            {node.name, "Unsqueeze", {value}, {part}, with("axes", Ints{output_axes[i - states]})});
        all.insert(output_directions[i - states] == 1 ? all.begin() : all.end(), part);
      }
    }
    now.resize(states);
    for (std::size_t i = 0; i < results; ++i) {
      now.push_back(fresh(name + ".scanned"));
      nodes.push_back({node.name, "Concat", parts[i], {now.back()}, with("axis", output_axes[i])});
    }
    return now;
  };

  if (!has_batch) {
    const std::vector<std::string> last = run(inputs, node.outputs[0]);
    for (std::size_t i = 0; i < outputs; ++i) nodes.push_back(identity(node, last[i], node.outputs[i]));
    return nodes;
  }
  std::vector<std::vector<std::string>> of_batch(outputs);
  const Shape& first = graph_.info(inputs[0]).shape;
  const std::int64_t batch = first.empty() ? 0 : first[0].value();
  if (batch < 1)
    refuse(node, "'{}' is {}; it must have a batch", inputs[0], to_string(graph_.info(inputs[0])));
  for (std::int64_t b = 0; b < batch; ++b) {
    std::vector<std::string> own;
    for (const std::string& input : inputs) {
      const Shape& shape = graph_.info(input).shape;
      if (shape.empty() || shape[0] != Size(batch))
        refuse(node, "'{}' is {}; it must have a batch of {}", input, to_string(graph_.info(input)), batch);
      own.push_back(add_element(nodes, node, input, shape.size(), 0, b, batch, fresh_name));
    }
    const std::vector<std::string> last = run(own, fmt::format("{}.{}", node.outputs[0], b));
    for (std::size_t i = 0; i < outputs; ++i) {
      of_batch[i].push_back(fresh(last[i] + ".part"));
      nodes.push_back({node.name, "Unsqueeze", {last[i]}, {of_batch[i].back()}, with("axes", Ints{0})});
    }
  }
  for (std::size_t i = 0; i < outputs; ++i)
    nodes.push_back({node.name, "Concat", of_batch[i], {node.outputs[i]}, with("axis", std::int64_t{0})});
  return nodes;
}

std::vector<Node> Bodies::expand_function(const Node& node, const Body& body) {
  const onnx::FunctionProto& function = *function_of(*body.proto);
  nodes_ += function.node_size() + 1;
  if (nodes_ > kMostNodes) refuse(node, "with it bodies become more than {} nodes", kMostNodes);
  if (node.outputs.size() > static_cast<std::size_t>(function.output_size()) ||
      body.inputs > static_cast<std::size_t>(function.input_size())) {
    refuse(node, "the function has {} inputs and {} outputs, the node {} and {}", function.input_size(),
           function.output_size(), body.inputs, node.outputs.size());
  }
  auto scope = std::make_shared<Scope>();
  scope->is_function = true;
  scope->opset = opset_in(function, body.scope->opset);
  for (int i = 0; i < function.input_size(); ++i) {
    const bool is_given = static_cast<std::size_t>(i) < body.inputs;
    scope->names.insert_or_assign(function.input(i),
                                  is_given ? node.inputs[static_cast<std::size_t>(i)] : "");
  }
  for (const onnx::AttributeProto& attribute : default_attributes(function))
    scope->attributes.insert_or_assign(attribute.name(), attribute);
  for (const onnx::AttributeProto& attribute : body.proto->attribute())
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

}  // namespace tensordsl
