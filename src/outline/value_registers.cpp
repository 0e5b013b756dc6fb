#include "outline/value_registers.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "predict/function_cost.h"
#include "schedule/func_schedule.h"

namespace tensordsl::outline {
namespace {

using ir::ExprKind;
using ir::ExprNode;

/// Returns the expression with inlined Funcs in it; tuples stay.
Expr with_inlined(const Expr& expr) {
  return ir::rewrite(expr, [](const Expr& e) {
    if (e->kind != ExprKind::Call) return e;
    const auto* made = dynamic_cast<const schedule::ScheduledFunction*>(e->function.get());
    if (!made || made->is_input() || !made->is_substituted()) return e;
    const std::vector<Expr>& values = made->definitions[0].values;
    if (e->component == ir::kWhole && values.size() > 1) return e;
    ir::Substitution indices;
    for (std::size_t d = 0; d < made->dims.size(); ++d) indices.emplace(made->dims[d], (*e)[d]);
    return with_inlined(ir::substitute(values[static_cast<std::size_t>(std::max(0, e->component))], indices));
  });
}

/// A value that is computed once, and those that it is computed from.
struct Value {
  std::vector<std::size_t> operands{};
  int registers = 1;  ///< that its result takes
  int freed = 1;      ///< that its last use gives back
  int inside = 0;     ///< more that live while it is computed
  int uses = 0;
};

/// The values of expressions, operands before their users.
class ValueList {
 public:
  explicit ValueList(const std::function<bool(const ir::Function&)>& is_held) : is_held_(is_held) {}

  /// Adds an expression's value; there is none of a constant, or of what depends on indices only.
  std::optional<std::size_t> add(const Expr& expr) {
    const auto [known, is_new] = known_.try_emplace(expr);
    if (!is_new) return known->second;
    std::optional<Value> value = value_of(*expr);
    std::optional<std::size_t> place;
    if (value) {
      place = values_.size();
      values_.push_back(std::move(*value));
    }
    known_[expr] = place;
    return place;
  }

  /// Returns the most registers that live at once, if each result is stored before the next is computed.
  int most_registers() {
    for (const Value& value : values_) {
      for (const std::size_t operand : value.operands) ++values_[operand].uses;
    }
    int live = 0, most = 0;
    for (const Value& value : values_) {
      most = std::max(most, live + value.inside);
      for (const std::size_t operand : value.operands) {
        if (--values_[operand].uses == 0) live -= values_[operand].freed;
      }
      live += value.registers;
      most = std::max(most, live);
      if (value.uses == 0 && value.registers > 0) live -= value.freed;
    }
    return most;
  }

 private:
  std::optional<Value> value_of(const ExprNode& node) {
    Value value;
    if (node.kind == ExprKind::Call) {
      if (node.function && is_held_(*node.function)) value.registers = 0;
      return value;
    }
    for (const Expr& operand : node.operands) {
      const auto place = add(operand);
      if (place && std::ranges::count(value.operands, *place) == 0) value.operands.push_back(*place);
    }
    if (value.operands.empty()) return std::nullopt;
    if (node.type.is_bool()) value.registers = value.freed = 0;
    value.inside = predict::values_inside(node);
    return value;
  }

  const std::function<bool(const ir::Function&)>& is_held_;
  std::vector<Value> values_;
  std::unordered_map<Expr, std::optional<std::size_t>, ir::ExprHash, ir::ExprSame> known_;
};

}  // namespace

int value_registers(const std::vector<Expr>& values,
                    const std::function<bool(const ir::Function&)>& is_held) {
  ValueList list(is_held);
  for (const Expr& value : values) list.add(with_inlined(value));
  return list.most_registers();
}

}  // namespace tensordsl::outline
