#include "ir/analyze/guarded_reads.h"

#include <set>
#include <unordered_set>

namespace tensordsl::ir {
namespace {

using Guard = EvaluationGuards::Guard;

/// Of a read that is made under more conditions than this, what they have in common is made use of.
constexpr std::size_t kMaxPlaces = 8;

/// What is known under each guard; nothing where its conditions never hold.
class RangesOfGuards {
 public:
  RangesOfGuards(const EvaluationGuards& guards, const IndexRanges& ranges) : guards_(guards) {
    known_.emplace(EvaluationGuards::kAlways, ranges);
  }

  const std::optional<IndexRanges>& of(Guard guard) {
    if (const auto it = known_.find(guard); it != known_.end()) return it->second;
    std::optional<IndexRanges> ranges = of(guards_.outer(guard));
    if (ranges) ranges = ranges->assuming(guards_.condition(guard), true);
    return known_.emplace(guard, std::move(ranges)).first->second;
  }

 private:
  const EvaluationGuards& guards_;
  std::unordered_map<Guard, std::optional<IndexRanges>> known_;
};

}  // namespace

void GuardedReads::find(const Expr& expr, const IndexRanges& ranges) {
  alive_.push_back(expr);  // what is known of its nodes is known by their addresses
  if (!has_wanted(expr)) return;
  std::vector<Expr> order;  // from the end: operands behind what uses them, left ones first
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

bool GuardedReads::has_wanted(const Expr& e) {
  const bool is_access = e->kind == ExprKind::Load || e->kind == ExprKind::Call;
  if ((e->operands.empty() && !is_access) || (names_ && !e->names.may_share(*names_))) return false;
  const auto [it, is_new] = has_wanted_.try_emplace(e.get(), false);
  if (!is_new) return it->second;
  bool result = is_access && is_wanted_(e);
  for (const Expr& operand : e->operands) result = has_wanted(operand) || result;
  return has_wanted_[e.get()] = result;
}

}  // namespace tensordsl::ir
