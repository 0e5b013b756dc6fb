#include "ir/guarded_reads.h"

namespace tensordsl::ir {

void GuardedReads::find(const Expr& expr, const IndexRanges& ranges) {
  alive_.push_back(expr);
  Seen seen;
  find(expr, ranges, seen);
}

void GuardedReads::find(const Expr& e, const IndexRanges& ranges, Seen& seen) {
  if (!has_wanted(e) || !seen.insert(e.get()).second) return;
  if ((e->kind == ExprKind::Load || e->kind == ExprKind::Call) && is_wanted_(e)) on_read_(e, ranges);
  if (find_guarded(e, ranges, seen)) return;
  for (const Expr& operand : e->operands) find(operand, ranges, seen);
}

bool GuardedReads::find_guarded(const Expr& e, const IndexRanges& ranges, Seen& seen) {
  const bool is_select = e->kind == ExprKind::Select;
  const bool is_junction = e->kind == ExprKind::And || e->kind == ExprKind::Or;
  if ((!is_select && !is_junction) || (*e)[0].type().is_vector()) return false;
  if (!has_wanted((*e)[1]) && !(is_select && has_wanted((*e)[2]))) return false;
  // Both sides of a select may share what is below them, and so on: past a limit its condition is not made
  // use of.
  constexpr int kMaxSides = 1 << 12;
  if (++sides_ > kMaxSides) return false;
  find((*e)[0], ranges, seen);
  for (const bool truth : {true, false}) {
    if (is_junction && truth == (e->kind == ExprKind::Or)) continue;  // the left side decides
    const Expr& side = (*e)[is_junction || truth ? 1 : 2];
    if (!has_wanted(side)) continue;
    Seen seen_there;
    if (const auto there = ranges.assuming((*e)[0], truth)) find(side, *there, seen_there);
  }
  return true;
}

bool GuardedReads::has_wanted(const Expr& e) {
  if (e->operands.empty() || (names_ && !e->names.may_share(*names_))) return false;
  const auto [it, is_new] = has_wanted_.try_emplace(e.get(), false);
  if (!is_new) return it->second;
  bool result = (e->kind == ExprKind::Load || e->kind == ExprKind::Call) && is_wanted_(e);
  for (const Expr& operand : e->operands) result = has_wanted(operand) || result;
  return has_wanted_[e.get()] = result;
}

}  // namespace tensordsl::ir
