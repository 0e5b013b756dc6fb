// The reads of an expression, with the facts that hold where they are made: select(0 <= x && x < 4, f(x), 0)
// reads f(x) with x in [0, 3].
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/analyze/evaluation_guards.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/name_filter.h"

namespace tensordsl::ir {

/// Finds Loads and Calls. A side of a select and the right side of && and || count where they are evaluated.
/// `Ranges` is IndexRanges or NumberRanges.
template <typename Ranges>
class GuardedReads {
 public:
  using IsWanted = std::function<bool(const Expr& read)>;
  using OnRead = std::function<void(const Expr& read, const Ranges& there)>;
  GuardedReads(IsWanted is_wanted, OnRead on_read)
      : is_wanted_(std::move(is_wanted)), on_read_(std::move(on_read)) {}
  /// Skips expressions without any of `names`.
  GuardedReads(IsWanted is_wanted, OnRead on_read, NameFilter names)
      : is_wanted_(std::move(is_wanted)), on_read_(std::move(on_read)), names_(names) {}

  /// Calls on_read for the wanted reads of `expr`: outer ones first. A shared read is reported once for each
  /// location with different facts; if there are many, with the facts around all of them.
  void find(const Expr& expr, const Ranges& ranges);

 private:
  using Guard = EvaluationGuards::Guard;
  /// A read that is made under more conditions than this is seen once, under those that they have in common.
  static constexpr std::size_t kMaxPlaces = 8;

  /// Keeps the facts under each guard; none if its conditions never hold.
  class RangesOfGuards {
   public:
    RangesOfGuards(const EvaluationGuards& guards, const Ranges& ranges) : guards_(guards) {
      known_.emplace(EvaluationGuards::kAlways, ranges);
    }

    const std::optional<Ranges>& of(Guard guard) {
      if (const auto it = known_.find(guard); it != known_.end()) return it->second;
      std::optional<Ranges> ranges = of(guards_.outer(guard));
      if (ranges) ranges = ranges->assuming(guards_.condition(guard), true);
      return known_.emplace(guard, std::move(ranges)).first->second;
    }

   private:
    const EvaluationGuards& guards_;
    std::unordered_map<Guard, std::optional<Ranges>> known_;
  };

  bool has_wanted(const Expr& expr);

  IsWanted is_wanted_;
  OnRead on_read_;
  std::optional<NameFilter> names_;
  std::unordered_map<const ExprNode*, bool> has_wanted_;
  std::vector<Expr> alive_;  // expressions to which has_wanted_ refers
};

template <typename Ranges>
void GuardedReads<Ranges>::find(const Expr& expr, const Ranges& ranges) {
  alive_.push_back(expr);  // facts about its nodes are kept by their addresses
  if (!has_wanted(expr)) return;
  std::vector<Expr> order;  // reversed: operands after their users, left ones first
  std::unordered_set<const ExprNode*> seen;
  const std::function<void(const Expr&)> visit_wanted = [&](const Expr& e) {
    if (!has_wanted(e) || !seen.insert(e.get()).second) return;
    for (auto it = e->operands.rbegin(); it != e->operands.rend(); ++it) visit_wanted(*it);
    order.push_back(e);
  };
  visit_wanted(expr);
  EvaluationGuards guards;
  RangesOfGuards known(guards, ranges);
  std::unordered_map<const ExprNode*, std::vector<Guard>> uses{{expr.get(), {EvaluationGuards::kAlways}}};
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const Expr& e = *it;
    const auto used = uses.find(e.get());
    if (used == uses.end()) continue;  // nowhere, as is known
    const bool is_read = (e->kind == ExprKind::Load || e->kind == ExprKind::Call) && is_wanted_(e);
    std::set<Guard> places = guards.fewest(used->second);
    if (places.size() > kMaxPlaces) places = {guards.around_all(places)};
    for (const Guard guard : places) {
      const auto& there = known.of(guard);
      if (!there) continue;
      if (is_read) on_read_(e, *there);
      for (std::size_t i = 0; i < e->operands.size(); ++i) {
        if (has_wanted((*e)[i])) uses[(*e)[i].get()].push_back(guards.of_operand(guard, e, i));
      }
    }
  }
}

template <typename Ranges>
bool GuardedReads<Ranges>::has_wanted(const Expr& e) {
  const bool is_access = e->kind == ExprKind::Load || e->kind == ExprKind::Call;
  if ((e->operands.empty() && !is_access) || (names_ && !e->names.may_share(*names_))) return false;
  const auto [it, is_new] = has_wanted_.try_emplace(e.get(), false);
  if (!is_new) return it->second;
  bool result = is_access && is_wanted_(e);
  for (const Expr& operand : e->operands) result = has_wanted(operand) || result;
  return has_wanted_[e.get()] = result;
}

}  // namespace tensordsl::ir
