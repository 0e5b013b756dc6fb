#include "graph/schedule/host_step.h"

#include <fmt/format.h>

#include <map>

#include "ir/nodes/expr_node.h"
#include "runtime/program/storage.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using namespace ir;

namespace {

/// Functions again, over new ones.
class Copier {
 public:
  /// Copies a Func. Needs: the Funcs that it reads were copied before.
  FunctionPtr copy(const Function& function, const std::string& name) {
    auto result = std::make_shared<Function>();
    result->name = name;
    result->is_given = function.is_given;
    result->types = function.types;
    result->dims = function.dims;
    result->shape = function.shape;
    for (const Definition& definition : function.definitions)
      result->definitions.push_back(copy(definition, name));
    copies_.emplace(&function, result);
    return result;
  }

  const std::string& name_of(const Function& function) const { return copies_.at(&function)->name; }

 private:
  Definition copy(Definition definition, const std::string& self) const {
    const auto renamed = [&](Expr& expr) {
      expr = rewrite(expr, [&](const Expr& e) {
        if (e->kind != ExprKind::Call) return e;
        const FunctionPtr read = e->function ? copies_.at(e->function.get()) : nullptr;
        return make_call(e.type(), read, read ? read->name : self, e->operands, e->component);
      });
    };
    for (Expr& arg : definition.args) renamed(arg);
    for (Expr& value : definition.values) renamed(value);
    if (definition.predicate.defined()) renamed(definition.predicate);
    return definition;
  }

  std::map<const Function*, FunctionPtr> copies_;
};

}  // namespace

Program::HostStep host_step(const definitions::StoredGroup& group) {
  Program::HostStep step;
  step.label = group.label;
  std::vector<FunctionPtr> outputs;
  for (const Func& output : group.outputs) outputs.push_back(output.shared());
  Copier copier;
  std::size_t funcs = 0;
  for (const FunctionPtr& function : reachable(outputs)) {
    step.definitions.push_back(
        copier.copy(*function, function->is_input() ? function->name : fmt::format("f{}", funcs++)));
  }
  for (const definitions::GroupOperand& operand : group.operands) {
    // A constant of one element is in the definitions.
    for (const FunctionPtr& function : step.definitions) {
      if (function->name == operand.input.name())
        step.reads.push_back({function->name, 0, runtime::storage_of(operand.stored)});
    }
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    step.writes.push_back({copier.name_of(*outputs[i]), 0, runtime::storage_of(group.stored[i])});
  return step;
}

}  // namespace tensordsl::graph
