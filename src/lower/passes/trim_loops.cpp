#include "lower/passes/trim_loops.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "ir/linear_form.h"
#include "ir/simplifier.h"
#include "lower/convergent_operations.h"
#include "lower/name_supply.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

bool is_all_behind_a_test(const StmtNode& stmt) {
  return stmt.kind == StmtKind::For && stmt.loop == LoopKind::Serial && stmt.body[0]->kind == StmtKind::If &&
         stmt.body[0]->body.size() == 1;
}

bool has_such_loop(const StmtNode& stmt) {
  return is_all_behind_a_test(stmt) ||
         std::ranges::any_of(stmt.body, [](const Stmt& s) { return has_such_loop(*s); });
}

/// Iterations [from, to).
struct Range {
  Expr from, to;
};

class Trimming {
 public:
  explicit Trimming(const Stmt& kernel) : fresh_(kernel) {}

  Stmt run(const Stmt& stmt, const Bounds& bounds) {
    Bounds inside = bounds;
    if (stmt->kind == StmtKind::For) inside[stmt->name] = range_of_loop(*stmt, bounds);
    const Stmt s = map_children(stmt, nullptr, [&](const Stmt& child) { return run(child, inside); });
    return s.defined() && s->kind == StmtKind::For ? trim(s, bounds) : s;
  }

 private:
  static Interval range_of_loop(const StmtNode& loop, const Bounds& bounds) {
    const Interval first = bounds_of(loop.min(), bounds), count = bounds_of(loop.extent(), bounds);
    return {first.low, saturating_add(first.high, saturating_add(count.high, -1))};
  }

  Stmt trim(const Stmt& stmt, const Bounds& bounds) {
    const StmtNode& loop = *stmt;
    if (!is_all_behind_a_test(loop) || has_convergent_operation(loop.body[0])) return stmt;
    start_loop(loop);
    const Expr start = loop.min(), stop = simplify(start + loop.extent(), bounds);
    Range kept{start, stop};
    std::vector<Expr> parts = parts_of(loop.body[0]->condition());
    std::vector<bool> is_taken;
    for (const Expr& part : parts) is_taken.push_back(take(part, loop.name, kept));
    const Range unread{simplify(kept.from, bounds), simplify(kept.to, bounds)};
    // What is read is read where the parts before it hold, in some iteration at least.
    const auto first_left = std::ranges::find(is_taken, false);
    if (first_left != is_taken.end()) {
      const Expr& part = parts[static_cast<std::size_t>(first_left - is_taken.begin())];
      *first_left = reads_memory(part) && take_read(part, loop, kept);
    }
    if (std::ranges::count(is_taken, true) == 0) return stmt;
    const Expr from = simplify(kept.from, bounds), to = simplify(kept.to, bounds);
    if (same(from, start) && same(to, stop)) return stmt;
    Stmt body = loop.body[0]->body[0];
    Expr rest;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!is_taken[i]) rest = rest.defined() ? make_binary(ExprKind::And, rest, parts[i]) : parts[i];
    }
    if (rest.defined()) body = make_if(rest, body);
    Stmt result = make_for(loop.name, from, simplify(to - from, bounds), loop.loop, body);
    if (!end_name_.empty()) {
      result = make_let(end_name_, end_, result);
      if (!can_prove(unread.from < unread.to, bounds)) result = make_if(unread.from < unread.to, result);
    }
    return result;
  }

  void start_loop(const StmtNode& loop) {
    bound_ = {loop.name};
    stored_.clear();
    end_name_.clear();
    visit(loop.body[0], [&](const Stmt& s) {
      if (s->kind == StmtKind::For || s->kind == StmtKind::Let) bound_.insert(s->name);
      if (s->kind == StmtKind::Store) stored_.insert(s->name);
      return true;
    });
  }

  /// Whether the value is the same in every iteration.
  bool is_invariant(const Expr& expr) const {
    bool result = true;
    visit(expr, [&](const Expr& e) {
      result = result && !(e->kind == ExprKind::Var && bound_.contains(e->name)) &&
               !(e->kind == ExprKind::Load && stored_.contains(e->name));
      return result;
    });
    return result;
  }

  /// a && b && c, in this order.
  static std::vector<Expr> parts_of(const Expr& condition) {
    if (condition->kind != ExprKind::And) return {condition};
    std::vector<Expr> parts = parts_of((*condition)[0]);
    std::ranges::copy(parts_of((*condition)[1]), std::back_inserter(parts));
    return parts;
  }

  /// Narrows `kept` to where the condition holds, if that is from some iteration on or up to one.
  bool take(const Expr& condition, const std::string& variable, Range& kept) const {
    const bool is_less = condition->kind == ExprKind::Lt || condition->kind == ExprKind::Le;
    if (!is_less || (*condition)[0].type() != Int(32) || reads_memory(condition)) return false;
    // It holds where the margin is not negative.
    LinearForm margin = LinearForm((*condition)[1]) - LinearForm((*condition)[0]);
    if (condition->kind == ExprKind::Lt) margin.constant -= 1;
    const Expr own = make_var(variable);
    const std::int64_t step = margin.coefficient_of(own);
    if (std::abs(step) != 1) return false;
    margin.add_atom(own, -step);
    if (step > 0) margin = margin * -1;
    const auto end = to_expr(step > 0 ? margin : margin + LinearForm(1), Int(32));
    if (!end || !is_invariant(*end)) return false;
    step > 0 ? kept.from = max(kept.from, *end) : kept.to = min(kept.to, *end);
    return true;
  }

  /// The same of an end that is read. It is read once, and may be any number: it is clamped before it is
  /// reckoned with.
  bool take_read(const Expr& condition, const StmtNode& loop, Range& kept) {
    const bool is_less = condition->kind == ExprKind::Lt || condition->kind == ExprKind::Le;
    if (!is_less || (*condition)[0].type() != Int(32)) return false;
    const auto is_own = [&](const Expr& e) { return e->kind == ExprKind::Var && e->name == loop.name; };
    const bool is_upper = is_own((*condition)[0]);
    const Expr& other = (*condition)[is_upper ? 1 : 0];
    if ((!is_upper && !is_own((*condition)[1])) || !is_invariant(other)) return false;
    end_name_ = fresh_.numbered(loop.name + (is_upper ? ".end" : ".first"));
    end_ = min(max(other, loop.min() - 1), loop.min() + loop.extent());
    const Expr end = make_var(end_name_);
    const bool is_strict = condition->kind == ExprKind::Lt;
    if (is_upper) {
      kept.to = min(kept.to, is_strict ? end : end + 1);
    } else {
      kept.from = max(kept.from, is_strict ? end + 1 : end);
    }
    return true;
  }

  NameSupply fresh_;
  std::string end_name_;  // of an end that is read, if there is one
  Expr end_;
  std::set<std::string> bound_, stored_;  // in the body of the loop that is looked at
};

}  // namespace

Stmt trim_loops(const Stmt& stmt, const Bounds& bounds) {
  return has_such_loop(*stmt) ? Trimming(stmt).run(stmt, bounds) : stmt;
}

}  // namespace tensordsl::lower
