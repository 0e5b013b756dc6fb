#include "ir/analyze/evaluation_guards.h"

#include "ir/nodes/lazy_operands.h"

namespace tensordsl::ir {

EvaluationGuards::Guard EvaluationGuards::inside(Guard outer, const Expr& condition, bool truth) {
  if (outer == kUnknown) return kUnknown;
  if (condition->kind == ExprKind::Not) return inside(outer, (*condition)[0], !truth);
  if (condition->kind == (truth ? ExprKind::And : ExprKind::Or)) {
    return inside(inside(outer, (*condition)[0], truth), (*condition)[1], truth);
  }
  return add(outer, truth ? condition : make_unary(ExprKind::Not, condition), condition.get(), truth);
}

EvaluationGuards::Guard EvaluationGuards::of_operand(Guard outer, const Expr& expr, std::size_t i) {
  if (!is_lazy_operand(expr, i)) return outer;
  const bool truth = expr->kind == ExprKind::Select ? i == 1 : expr->kind == ExprKind::And;
  return inside(outer, (*expr)[0], truth);
}

EvaluationGuards::Guard EvaluationGuards::any_of(const std::vector<Guard>& guards) {
  constexpr std::size_t kMaxGuards = 8;
  const std::set<Guard> distinct = fewest(guards);
  if (distinct.size() == 1) return *distinct.begin();
  if (distinct.contains(kUnknown) || distinct.size() > kMaxGuards) return kUnknown;
  const auto [it, is_new] = known_any_.emplace(distinct, nodes_.size());
  if (is_new) {
    const Guard around = around_all(distinct);
    nodes_.push_back({around, Expr(), nullptr, true, nodes_[around].depth + 1, distinct});
  }
  return it->second;
}

EvaluationGuards::Guard EvaluationGuards::add(Guard outer, const Expr& condition, const ExprNode* tested,
                                              bool truth) {
  const auto [it, is_new] = known_.emplace(std::tuple(outer, tested, truth), nodes_.size());
  if (is_new) nodes_.push_back({outer, condition, tested, truth, nodes_[outer].depth + 1, {}});
  return it->second;
}

bool EvaluationGuards::is_inside(Guard inner, Guard outer) const {
  while (nodes_[inner].depth > nodes_[outer].depth) inner = nodes_[inner].outer;
  return inner == outer;
}

std::set<EvaluationGuards::Guard> EvaluationGuards::fewest(const std::vector<Guard>& guards) const {
  std::set<Guard> result;
  for (const Guard guard : guards) {
    const bool is_any = guard != kUnknown && !nodes_[guard].alternatives.empty();
    if (is_any) result.insert(nodes_[guard].alternatives.begin(), nodes_[guard].alternatives.end());
    if (!is_any) result.insert(guard);
  }
  if (result.contains(kAlways)) return {kAlways};
  const auto is_covered = [&](Guard guard) {
    while (guard != kAlways && guard != kUnknown) {
      guard = nodes_[guard].outer;
      if (result.contains(guard)) return true;
    }
    return false;
  };
  for (bool has_new = true; has_new;) {
    has_new = false;
    for (const Guard guard : std::vector<Guard>(result.begin(), result.end())) {
      if (guard == kUnknown) continue;
      if (is_covered(guard)) {
        result.erase(guard);
        continue;
      }
      const Node& node = nodes_[guard];
      if (!node.tested) continue;
      const auto other = known_.find({node.outer, node.tested, !node.truth});
      if (other == known_.end() || !result.contains(other->second) || !result.contains(guard)) continue;
      result.erase(other->second);
      result.erase(guard);
      result.insert(node.outer);
      has_new = true;
    }
    if (result.contains(kAlways)) return {kAlways};
  }
  return result;
}

EvaluationGuards::Guard EvaluationGuards::around_all(const std::set<Guard>& guards) const {
  Guard around = *guards.begin();
  for (const Guard guard : guards) {
    while (!is_inside(guard, around)) around = nodes_[around].outer;
  }
  return around;
}

}  // namespace tensordsl::ir
