#include "ir/simplify/simplifier.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <unordered_set>

#include "base/arithmetic.h"
#include "ir/nodes/reinterpret.h"
#include "ir/nodes/work_counter.h"
#include "ir/operations/constant_fold.h"
#include "ir/simplify/simplify_rules.h"

namespace tensordsl::ir {
namespace {

/// Number of parts above which the parts of a conjunction are no longer compared with later ones.
constexpr std::size_t kMaxPartsCompared = 16;
/// Depth to which a sum is walked at once. Deeper sums are simplified in pieces, which are memoized: without
/// that a heavily shared sum would take exponential time.
constexpr int kDeepestSum = 8;

bool is_index(Type type) { return type.element() == Int(32); }

}  // namespace

std::vector<Expr> operands_of_chain(const Expr& expr, ExprKind kind) {
  std::vector<Expr> operands;
  std::unordered_set<const ExprNode*> seen;
  const auto collect = [&](const auto& self, const Expr& e) -> void {
    if (e->kind != kind) {
      operands.push_back(e);
    } else if (seen.insert(e.get()).second) {
      self(self, (*e)[0]);
      self(self, (*e)[1]);
    }
  };
  collect(collect, expr);
  return operands;
}

bool reads_memory(const Expr& expr) {
  bool found = false;
  std::unordered_set<const ExprNode*> seen;
  visit(expr, [&](const Expr& e) {
    found = found || e->kind == ExprKind::Load || e->kind == ExprKind::Call;
    return !found && (e->operands.empty() || seen.insert(e.get()).second);
  });
  return found;
}

struct Simplifier::Scope::Saved {
  std::size_t overwritten, not_negative, facts;
  Memo<Expr> simplified;
  Memo<Interval> bounds;
  Memo<Congruence> congruences;
};

Simplifier::Scope::Scope(Simplifier& simplifier)
    : simplifier_(simplifier),
      saved_(new Saved{simplifier.overwritten_.size(), simplifier.not_negative_.size(),
                       simplifier.facts_.size(), std::exchange(simplifier.simplified_, {}),
                       std::exchange(simplifier.bounds_, {}), std::exchange(simplifier.congruences_, {})}) {}

Simplifier::Scope::~Scope() {
  Simplifier& s = simplifier_;
  for (; s.overwritten_.size() > saved_->overwritten; s.overwritten_.pop_back()) {
    auto& [name, variable] = s.overwritten_.back();
    s.variables_[name] = std::move(variable);
  }
  s.not_negative_.resize(saved_->not_negative);
  s.facts_.resize(saved_->facts);
  s.simplified_ = std::move(saved_->simplified);
  s.bounds_ = std::move(saved_->bounds);
  s.congruences_ = std::move(saved_->congruences);
}

Simplifier::Branch::Branch(Simplifier& simplifier)
    : simplifier_(simplifier), outer_(simplifier.branch_), scope_(simplifier) {
  simplifier_.branch_ = this;
}

Simplifier::Branch::~Branch() { simplifier_.branch_ = outer_; }

Expr Simplifier::Branch::simplified_outside(const Expr& expr) const {
  for (const Branch* branch = this; branch != nullptr; branch = branch->outer_) {
    const Memo<Expr>& outside = branch->scope_.saved_->simplified;
    if (const auto at = outside.find(expr.get()); at != outside.end()) return at->second.second;
  }
  return Expr();
}

const Simplifier::Variable* Simplifier::find(const std::string& name) {
  auto at = variables_.find(name);
  if (at != variables_.end()) return &at->second;
  const auto given = given_.find(name);
  if (given == given_.end()) return nullptr;
  at = variables_.emplace(name, Variable{.bounds = given->second, .replacement = {}, .definition = {}}).first;
  return &at->second;
}

Simplifier::Variable& Simplifier::overwrite(const std::string& name) {
  simplified_.clear();
  bounds_.clear();
  congruences_.clear();
  find(name);
  Variable& variable = variables_[name];
  overwritten_.emplace_back(name, variable);
  return variable;
}

void Simplifier::set_bounds(const std::string& name, Interval interval) {
  overwrite(name) = {.bounds = interval, .replacement = {}, .definition = {}};
}

void Simplifier::replace(const std::string& name, const Expr& value) {
  overwrite(name) = {.bounds = {}, .replacement = value, .definition = {}};
}

void Simplifier::define(const std::string& name, const Expr& value) {
  const Interval interval = value.type().is_integer() ? bounds(value) : Interval{};
  overwrite(name) = {.bounds = interval, .replacement = {}, .definition = value};
}

void Simplifier::assume(const Expr& condition, bool truth) {
  const ExprNode& e = *condition;
  if (is_const(condition)) return;
  if (e.kind == ExprKind::Not) return assume(e[0], !truth);
  if (e.kind == (truth ? ExprKind::And : ExprKind::Or)) {
    assume(e[0], truth);
    assume(e[1], truth);
  }
  facts_.push_back({condition, truth});
  simplified_.clear();
  if (!is_comparison(e.kind) || e[0].type() != Int(32)) return;

  const LinearForm difference = LinearForm(e[1]) - LinearForm(e[0]);
  switch (e.kind) {
    case ExprKind::Lt:
      return assume_not_negative(truth ? difference - LinearForm(1) : difference * -1);
    case ExprKind::Le:
      return assume_not_negative(truth ? difference : difference * -1 - LinearForm(1));
    default:
      if (truth != (e.kind == ExprKind::Eq)) return;
      assume_not_negative(difference);
      assume_not_negative(difference * -1);
  }
}

void Simplifier::assume_not_negative(const LinearForm& form) {
  if (form.is_constant()) return;
  const std::int64_t divisor = form.common_divisor();
  LinearForm fact = form;
  fact.constant = floor_div(form.constant, divisor) * divisor;
  fact = exact_quotient(fact, divisor);
  const Term& first = fact.terms()[0];
  if (fact.terms().size() == 1 && first.atom->kind == ExprKind::Var) {
    Interval tighter = bounds(first.atom);
    if (first.coefficient > 0) {
      tighter.low = std::max(tighter.low, wrapping_sub(0, fact.constant));
    } else {
      tighter.high = std::min(tighter.high, fact.constant);
    }
    // An empty interval means that this code is never reached; no bounds are better than contradictory ones.
    if (tighter.low <= tighter.high) overwrite(first.atom->name).bounds = tighter;
    return;
  }
  simplified_.clear();
  not_negative_.push_back(std::move(fact));
}

void Simplifier::assume_stable(const Expr& condition, bool truth) {
  if (condition->kind == (truth ? ExprKind::And : ExprKind::Or)) {
    assume_stable((*condition)[0], truth);
    assume_stable((*condition)[1], truth);
  } else if (!reads_memory(condition)) {
    assume(condition, truth);
  }
}

void Simplifier::enter_loop(const std::string& name, const Expr& min, const Expr& extent) {
  const Interval last = bounds(min) + bounds(extent) - Interval::point(1);
  set_bounds(name, {bounds(min).low, last.high});
  const LinearForm variable(make_var(name)), first(min), count(extent), one(1);
  const bool min_is_stable = !reads_memory(min), extent_is_stable = !reads_memory(extent);
  // The body runs only if the loop runs at all.
  if (extent_is_stable) assume_not_negative(count - one);
  if (min_is_stable) assume_not_negative(variable - first);
  if (min_is_stable && extent_is_stable) assume_not_negative(first + count - one - variable);
}

bool Simplifier::is_known(const Expr& condition, bool& truth) const {
  const auto is_opposite = [](const ExprNode& a, const ExprNode& b) {
    const bool kinds = (a.kind == ExprKind::Eq && b.kind == ExprKind::Ne) ||
                       (a.kind == ExprKind::Ne && b.kind == ExprKind::Eq);
    return kinds && same(a[0], b[0]) && same(a[1], b[1]);
  };
  for (const Fact& fact : facts_) {
    const bool opposite = is_opposite(*fact.condition, *condition);
    if (!opposite && !same(fact.condition, condition)) continue;
    truth = fact.truth != opposite;
    return true;
  }
  return false;
}

Expr Simplifier::simplify(const Expr& expr) {
  WorkCounter::count();
  if (is_const(expr)) return expr;
  if (const auto at = simplified_.find(expr.get()); at != simplified_.end()) return at->second.second;
  // If branches are not distinguished, their shared expressions have one form.
  Expr result = has_too_many_branches_ && branch_ != nullptr ? branch_->simplified_outside(expr) : Expr();
  if (!result.defined()) result = rewrite(expr);
  if (bool truth; result.type() == Bool() && is_known(result, truth)) result = make_bool(truth);
  // A sub-expression that several branches share stays shared, though each branch is simplified with other
  // facts.
  if (branch_ != nullptr) result = *distinct_.insert(result).first;
  if (same(result, expr)) result = expr;
  simplified_.try_emplace(expr.get(), expr, result);
  simplified_.try_emplace(result.get(), result, result);
  return result;
}

Expr Simplifier::rewrite(const Expr& expr) {
  switch (expr->kind) {
    case ExprKind::Var:
      return rewrite_variable(expr);
    case ExprKind::Add:
    case ExprKind::Sub:
      return is_index(expr.type()) ? rewrite_sum(expr) : finish(simplify_operands(expr));
    case ExprKind::And:
    case ExprKind::Or:
      return rewrite_junction(expr);
    case ExprKind::Select:
      return rewrite_select(expr);
    case ExprKind::Not: {
      const Expr result = finish(simplify_operands(expr));
      const bool is_junction = result->kind == ExprKind::And || result->kind == ExprKind::Or;
      return is_junction ? rewrite_junction(result) : result;  // negated parts may decide each other again
    }
    default:
      return finish(simplify_operands(expr));
  }
}

Expr Simplifier::simplify_operands(const Expr& expr) {
  std::vector<Expr> operands;
  operands.reserve(expr->operands.size());
  for (const Expr& operand : expr->operands) operands.push_back(simplify(operand));
  return with_operands(expr, std::move(operands));
}

Expr Simplifier::rewrite_variable(const Expr& expr) {
  const Variable* variable = find(expr->name);
  if (variable == nullptr) return expr;
  const Interval interval = variable->bounds;
  // More may be known by now about the variable's replacement.
  if (const Expr replacement = variable->replacement; replacement.defined()) return simplify(replacement);
  return interval.is_point() && expr.type().is_integer() ? make_int(expr.type(), interval.low) : expr;
}

Expr Simplifier::rewrite_sum(const Expr& expr) {
  LaneForm sum;
  collect_sum(expr, 1, kDeepestSum, sum);
  const Expr result = finish_sum(std::move(sum), expr);
  return result.get() != expr.get() ? result : simplify_operands(expr);
}

void Simplifier::collect_sum(const Expr& expr, std::int64_t factor, int depth, LaneForm& sum) {
  const ExprNode& e = *expr;
  if (depth > 0 && (e.kind == ExprKind::Add || e.kind == ExprKind::Sub)) {
    collect_sum(e[0], factor, depth - 1, sum);
    collect_sum(e[1], e.kind == ExprKind::Add ? factor : wrapping_sub(0, factor), depth - 1, sum);
  } else if (const std::int64_t* b = depth > 0 && e.kind == ExprKind::Mul ? as_int(e[1]) : nullptr) {
    collect_sum(e[0], wrapping_mul(factor, *b), depth - 1, sum);
  } else {
    sum.add(simplify(expr), factor);
  }
}

/// Past a limit, all branches inside the outermost ones are simplified without their conditions: a shared
/// expression would get another form in each branch that is simplified with its condition.
Expr Simplifier::with_few_branches(const std::function<Expr()>& simplified) {
  if (branch_ != nullptr) return simplified();
  nested_branches_ = 0;
  const Expr result = simplified();
  if (nested_branches_ <= max_nested_branches_) return result;
  has_too_many_branches_ = true;
  const Expr simpler = simplified();
  has_too_many_branches_ = false;
  return simpler;
}

bool Simplifier::enters_branch() {
  if (branch_ == nullptr) return true;
  return !has_too_many_branches_ && ++nested_branches_ <= max_nested_branches_;
}

Expr Simplifier::rewrite_junction(const Expr& expr) {
  if (expr.type().is_vector() || !enters_branch()) return finish(simplify_operands(expr));
  return with_few_branches([&] { return rewrite_parts(expr); });
}

Expr Simplifier::rewrite_parts(const Expr& expr) {
  const ExprKind kind = expr->kind;
  const bool neutral = kind == ExprKind::And;
  const std::vector<Expr> parts = operands_of_chain(expr, kind);

  // Each part is simplified knowing that those before it did not decide.
  std::vector<Expr> kept;
  {
    const Branch branch(*this);
    for (const Expr& part : parts) {
      const Expr e = simplify(part);
      if (const std::int64_t* value = as_int(e)) {
        if ((*value != 0) == neutral) continue;
        return e;
      }
      std::ranges::copy(operands_of_chain(e, kind), std::back_inserter(kept));
      assume(e, neutral);
    }
  }
  drop_implied(kept, neutral);
  if (kept.empty()) return make_bool(neutral);
  Expr result = kept[0];
  for (std::size_t i = 1; i < kept.size(); ++i) result = build(kind, result, kept[i]);
  return result;
}

/// Drops the parts of a conjunction (of a disjunction, if not `truth`) that the others decide.
void Simplifier::drop_implied(std::vector<Expr>& parts, bool truth) {
  if (parts.size() > kMaxPartsCompared) return;
  for (std::size_t i = 0; i + 1 < parts.size();) {
    // A part may guard the loads in those after it.
    const auto rest = parts.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(rest + 1, parts.end(), reads_memory)) {
      ++i;
      continue;
    }
    const Scope scope(*this);
    for (std::size_t j = 0; j < parts.size(); ++j) {
      if (j != i) assume(parts[j], truth);
    }
    const Expr known = finish(parts[i]);
    const std::int64_t* value = as_int(known);
    if (value != nullptr && (*value != 0) == truth) {
      parts.erase(rest);
    } else {
      ++i;
    }
  }
}

Expr Simplifier::rewrite_select(const Expr& expr) {
  const Expr condition = simplify((*expr)[0]);
  if (const std::int64_t* value = as_int(condition)) return simplify((*expr)[*value != 0 ? 1 : 2]);
  const Expr if_true = rewrite_branch((*expr)[1], condition, true);
  const Expr if_false = rewrite_branch((*expr)[2], condition, false);
  return finish(with_operands(expr, {condition, if_true, if_false}));
}

Expr Simplifier::rewrite_branch(const Expr& expr, const Expr& condition, bool truth) {
  if (is_const(expr)) return expr;
  if (condition.type().is_vector() || !enters_branch()) return simplify(expr);
  return with_few_branches([&] {
    const Branch branch(*this);
    assume(condition, truth);
    return simplify(expr);
  });
}

Expr Simplifier::finish(const Expr& expr) {
  if (const Expr constant = fold_constants(expr); constant.defined()) return constant;
  if (const Expr vector = finish_vector(expr); vector.defined()) return vector;
  const bool of_index = !expr->operands.empty() && is_index((*expr)[0].type());
  switch (expr->kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
      if (of_index) return finish_sum(LaneForm(expr), expr);
      break;
    case ExprKind::Mul:
      if (of_index) return finish_product(expr);
      break;
    case ExprKind::Div:
    case ExprKind::Mod:
      if (of_index) return finish_division(expr);
      break;
    case ExprKind::Min:
    case ExprKind::Max:
      if (of_index) return finish_extremum(expr);
      break;
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
      if (of_index) return finish_comparison(expr);
      break;
    case ExprKind::Not:
      return finish_not(expr);
    case ExprKind::Select:
      return finish_select(expr);
    case ExprKind::Cast:
      return finish_cast(expr);
    case ExprKind::Intrinsic:
      if (is_xor(*expr)) return finish_xor(expr);
      if (shifts_by_nothing(*expr)) return (*expr)[0];
      if (is_reinterpret(*expr)) return of_same_bits(expr);
      break;
    default:
      break;
  }
  return finish_with_rules(expr);
}

Expr Simplifier::finish_with_rules(const Expr& expr) {
  const Expr result = apply_rules(expr, [this](const Expr& e) { return finish(e); });
  if (result.defined()) return result;
  // Constants stand on the right, so that a rule need not be tried twice.
  if (is_commutative(expr->kind) && expr.type().is_integer() && is_const((*expr)[0])) {
    return with_operands(expr, {(*expr)[1], (*expr)[0]});
  }
  return expr;
}

}  // namespace tensordsl::ir
