// Walks over expressions and rewrites of them: that part of expr_node.h.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/work_counter.h"
#include "tensordsl/error.h"

namespace tensordsl::ir {

Expr with_operands(const Expr& expr, std::vector<Expr> operands) {
  bool changed = operands.size() != expr->operands.size();
  for (std::size_t i = 0; !changed && i < operands.size(); ++i)
    changed = operands[i].get() != (*expr)[i].get();
  if (!changed) return expr;
  switch (expr->kind) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::Var:
      throw InternalError("with_operands: the node has no operands");
    case ExprKind::Not:
      return make_unary(expr->kind, operands.at(0));
    case ExprKind::Select:
      return make_select(operands.at(0), operands.at(1), operands.at(2));
    case ExprKind::Cast:
      return make_cast(expr->type.with_lanes(operands.at(0).type().lanes), operands[0]);
    case ExprKind::Ramp:
      return make_ramp(operands.at(0), operands.at(1), expr->type.lanes);
    case ExprKind::Broadcast:
      return make_broadcast(operands.at(0), expr->type.lanes);
    case ExprKind::Slice:
      return make_slice(operands.at(0), static_cast<int>(expr->value), expr->type.lanes);
    case ExprKind::Concat:
      return make_concat(std::move(operands));
    case ExprKind::Load:
      return make_load(expr->type, expr->name, std::move(operands), expr->value, expr->component);
    case ExprKind::Intrinsic:
      return make_intrinsic(expr->type.element(), expr->name, std::move(operands));
    case ExprKind::Call:
      return make_call(expr->type.element(), expr->function, expr->name, std::move(operands),
                       expr->component);
    default:
      return make_binary(expr->kind, operands.at(0), operands.at(1));
  }
}

Expr map_operands(const Expr& expr, const std::function<Expr(const Expr&)>& f) {
  // The operands of a reduction variable are its domain, not values it is computed from.
  if (expr->operands.empty() || expr->kind == ExprKind::Var) return expr;
  std::vector<Expr> operands;
  operands.reserve(expr->operands.size());
  for (const Expr& e : expr->operands) operands.push_back(f(e));
  return with_operands(expr, std::move(operands));
}

namespace {

/// The nodes that a walk has met. Most walks are short: a list of a few nodes is faster than a set.
class MetNodes {
 public:
  /// Returns false if the node has been met before.
  bool add(const ExprNode* node) {
    if (many_.empty()) {
      const auto end = few_.begin() + static_cast<std::ptrdiff_t>(count_);
      if (std::find(few_.begin(), end, node) != end) return false;
      if (count_ < few_.size()) {
        few_[count_++] = node;
        return true;
      }
      many_.insert(few_.begin(), few_.end());
    }
    return many_.insert(node).second;
  }

 private:
  std::array<const ExprNode*, 16> few_{};
  std::size_t count_ = 0;
  std::unordered_set<const ExprNode*> many_;
};

void visit_once(const Expr& expr, const std::function<bool(const Expr&)>& f, MetNodes& met) {
  WorkCounter::count();
  // Only a node with several owners can be met again.
  if (!expr->operands.empty() && expr.use_count() > 1 && !met.add(expr.get())) return;
  if (!f(expr)) return;
  for (const Expr& e : expr->operands) visit_once(e, f, met);
}

Expr rewrite_once(const Expr& expr, const std::function<Expr(const Expr&)>& f,
                  std::unordered_map<const ExprNode*, Expr>& done) {
  WorkCounter::count();
  if (const auto known = done.find(expr.get()); known != done.end()) return known->second;
  Expr result = f(map_operands(expr, [&](const Expr& e) { return rewrite_once(e, f, done); }));
  if (expr.use_count() > 1) done.emplace(expr.get(), result);
  return result;
}

}  // namespace

void visit(const Expr& expr, const std::function<bool(const Expr&)>& f) {
  MetNodes met;
  visit_once(expr, f, met);
}

Expr rewrite(const Expr& expr, const std::function<Expr(const Expr&)>& f) {
  std::unordered_map<const ExprNode*, Expr> done;
  return rewrite_once(expr, f, done);
}

bool uses_var(const Expr& expr, const std::string& name) {
  const NameFilter filter(name);
  bool found = false;
  visit(expr, [&](const Expr& e) {
    if (!e->names.may_share(filter)) return false;
    found = found || (e->kind == ExprKind::Var && e->name == name);
    return !found;
  });
  return found;
}

}  // namespace tensordsl::ir
