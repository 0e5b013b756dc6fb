#include "ops/node_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/nodes/expr_node.h"
#include "ops/definitions/building_blocks.h"
#include "ops/operator_operands.h"
#include "ops/size_of.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/operator_table.h"

namespace tensordsl::ops {
namespace {

std::vector<Expr> extents_of(const Shape& shape) {
  std::vector<Expr> extents;
  for (const Size& extent : shape) extents.push_back(extent.expr());
  return extents;
}

OperatorNode::Attribute public_value(const Attributes::Value& value) {
  return std::visit(
      [](const auto& held) -> OperatorNode::Attribute {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Sizes>) {
          return known(held);
        } else {
          return held;
        }
      },
      value);
}

OperatorNode node_of(const OperatorOperands& operands) {
  OperatorNode node;
  for (std::size_t i = 0; i < operands.inputs.size(); ++i) {
    if (operands.has_input(i)) {
      node.inputs.emplace_back(OperatorTensor{operands.input(i), extents_of(operands.infos[i].shape)});
    } else {
      node.inputs.emplace_back();
    }
  }
  node.outputs = operands.outputs.size();
  for (const auto& [name, value] : operands.attributes.values())
    node.attributes.emplace(name, public_value(value));
  return node;
}

/// The names in the extents of the inputs.
std::set<std::string> names_in(const OperatorOperands& operands) {
  std::set<std::string> names;
  for (const TensorInfo& info : operands.infos) {
    for (const Size& extent : info.shape) {
      for (const std::string& name : extent.symbols()) names.insert(name);
    }
  }
  return names;
}

/// Checks that a definition reads only inputs of the node and computes only what a graph of Funcs supports.
void check_result(const OperatorTensor& result, std::size_t i, const OperatorOperands& operands) {
  const auto refuse = [&](const std::string& what) {
    throw ModelError(fmt::format("its definition returns output {} {}", i, what));
  };
  if (!result.func.contents().is_defined())
    refuse(fmt::format("as the Func {}, which has no definition", result.func.name()));
  if (static_cast<std::size_t>(result.func.rank()) != std::max<std::size_t>(result.shape.size(), 1)) {
    refuse(fmt::format("as a Func of {} dimensions, but with a shape of {} extents", result.func.rank(),
                       result.shape.size()));
  }
  std::vector<ir::FunctionPtr> given;
  for (const std::optional<Func>& input : operands.inputs) {
    if (input) given.push_back(input->shared());
  }
  const std::vector<ir::FunctionPtr> functions = ir::reachable({result.func.shared()}, given);
  for (const ir::FunctionPtr& function : functions) {
    if (std::ranges::find(given, function) != given.end()) continue;
    if (function->is_input()) {
      refuse(
          fmt::format("that reads {}, which is not an input of the node; a definition is called more than "
                      "once, with different Funcs each time",
                      function->name));
    }
    if (function->is_tuple())
      refuse(fmt::format("as a tuple, by the Func {}; use one Func per component", function->name));
  }
  const std::set<std::string> names = names_in(operands);
  for (const auto& [name, type] : ir::params_of(functions)) {
    if (!names.contains(name))
      refuse(fmt::format("that uses the Param {}, which is in no extent of its inputs", name));
  }
}

std::vector<OperatorTensor> call_definition(const OperatorDefinition& definition,
                                            const OperatorOperands& operands) {
  try {
    std::vector<OperatorTensor> results = definition(node_of(operands));
    if (results.size() < operands.outputs.size()) {
      throw ModelError(fmt::format("its definition returns {} outputs, but the node has {}", results.size(),
                                   operands.outputs.size()));
    }
    results.resize(operands.outputs.size());
    for (std::size_t i = 0; i < results.size(); ++i) check_result(results[i], i, operands);
    return results;
  } catch (const std::exception& error) {
    throw ModelError(error.what());
  } catch (...) {
    throw ModelError("its definition threw an unknown exception");
  }
}

/// A shape of numbers and of the `names` of the inputs' extents, as the library computes with it.
Shape shape_of(const OperatorTensor& result, std::size_t i, const std::set<std::string>& names) {
  Shape shape;
  for (const Expr& extent : result.shape) {
    if (!extent.defined())
      throw ModelError(fmt::format("its definition returns an undefined extent for output {}", i));
    const auto size = size_of(extent, [&](const std::string& name) {
      if (names.contains(name)) return Size::symbol(name);
      throw ModelError(fmt::format(
          "its definition returns output {} with the extent {}, but \"{}\" is in no extent of its inputs", i,
          to_string(extent), name));
    });
    if (!size)
      throw ModelError(
          fmt::format("its definition returns output {} with the extent {}, which is not a sum or product of "
                      "numbers and Params",
                      i, to_string(extent)));
    shape.push_back(*size);
  }
  return shape;
}

void check_is_as_before(const OperatorTensor& result, std::size_t i, const OperatorOperands& operands,
                        const std::set<std::string>& names) {
  const TensorInfo& before = operands.outputs[i];
  const TensorInfo now{before.name, result.func.type(), shape_of(result, i, names)};
  if (now.type == before.type && now.shape == before.shape) return;
  throw ModelError(fmt::format(
      "its definition returns output {} as {}, but returned {} before; it must depend only on its argument",
      i, to_string(now), to_string(before)));
}

/// Returns func(vars), with a pure definition inlined, because only a Func of one definition is fused with
/// others.
Expr value_at(const Func& func, const std::vector<Var>& vars) {
  const ir::Function& function = func.contents();
  const std::vector<Expr> indices(vars.begin(), vars.end());
  if (function.is_input() || function.definitions.size() != 1 || function.is_tuple()) return func(indices);
  return ir::rewrite(function.definitions[0].value(), [&](const Expr& e) {
    if (e->kind != ir::ExprKind::Var) return e;
    const auto dim = std::ranges::find(function.dims, e->name);
    if (dim == function.dims.end()) return ir::make_param(e->name, e.type());
    return indices[static_cast<std::size_t>(dim - function.dims.begin())];
  });
}

/// Returns the outputs that the definition gives for inputs of these types and shapes; attributes are not
/// changed. Throws ModelError, also in place of what the definition throws.
InferredNode infer_user_operator(const OperatorDefinition& definition, const OperatorCall& call) {
  OperatorOperands operands{"y", call.attributes, {}, {}, {}};
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    operands.infos.push_back(call.has_input(i) ? call.input(i) : TensorInfo());
    operands.inputs.emplace_back();
    if (!call.has_input(i)) continue;
    const std::vector<Expr> extents = extents_of(call.input(i).shape);
    operands.inputs.back() =
        Input(fmt::format("x{}", i), call.input(i).type, extents.empty() ? std::vector<Expr>{1} : extents);
  }
  operands.outputs.resize(call.outputs);
  const std::vector<OperatorTensor> results = call_definition(definition, operands);
  const std::set<std::string> names = names_in(operands);
  InferredNode inferred{results.at(0).func.type(), shape_of(results[0], 0, names), call.attributes};
  for (std::size_t i = 1; i < results.size(); ++i)
    inferred.outputs.push_back({results[i].func.type(), shape_of(results[i], i, names)});
  return inferred;
}

/// The Funcs of the outputs. Needs: infer_user_operator has passed.
std::vector<Func> define_user_operator(const OperatorDefinition& definition,
                                       const OperatorOperands& operands) {
  std::vector<Func> funcs;
  const std::set<std::string> names = names_in(operands);
  for (const OperatorTensor& result : call_definition(definition, operands)) {
    check_is_as_before(result, funcs.size(), operands, names);
    // Outputs are pure Funcs, with names that no other node's Func has.
    const std::vector<Var> vars = definitions::index_vars(operands.outputs[funcs.size()].shape);
    Func output(funcs.empty() ? operands.name : fmt::format("{}_{}", operands.name, funcs.size()));
    output(vars) = value_at(result.func, vars);
    funcs.push_back(output);
  }
  return funcs;
}

const OperatorSpec& spec_of(const Node& node) {
  if (const OperatorSpec* spec = find_operator(node.op)) return *spec;
  throw InternalError(fmt::format("{} has no rules", label(node)));
}

}  // namespace

InferredNode infer(const Node& node, const OperatorCall& call) {
  return node.definition ? infer_user_operator(*node.definition, call) : infer(spec_of(node), call);
}

std::vector<Func> define(const Node& node, const OperatorOperands& operands) {
  return node.definition ? define_user_operator(*node.definition, operands) : spec_of(node).define(operands);
}

bool is_rule_alone(const Node& node) { return !node.definition && !spec_of(node).infer; }

std::size_t most_outputs(const Node& node) {
  return node.definition ? node.outputs.size() : spec_of(node).outputs;
}

}  // namespace tensordsl::ops
