#include "ops/node_rules.h"

#include <fmt/format.h>

#include "ops/user_operator.h"
#include "tensordsl/error.h"

namespace tensordsl::ops {
namespace {

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
