#include "lower/passes/loops/trim_loops.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include "ir/nodes/linear_form.h"
#include "ir/simplify/simplifier.h"
#include "lower/analyze/convergent_operations.h"
#include "lower/name_supply.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

bool is_behind_a_test(const Stmt& stmt) { return stmt->kind == StmtKind::If && stmt->body.size() == 1; }

bool is_all_behind_tests(const StmtNode& stmt) {
  if (stmt.kind != StmtKind::For || stmt.loop != LoopKind::Serial) return false;
  const Stmt& body = stmt.body[0];
  return body->kind == StmtKind::Block ? std::ranges::all_of(body->body, is_behind_a_test)
                                       : is_behind_a_test(body);
}

bool has_such_loop(const StmtNode& stmt) {
  return is_all_behind_tests(stmt) ||
         std::ranges::any_of(stmt.body, [](const Stmt& s) { return has_such_loop(*s); });
}

/// Iterations [from, to).
struct LoopRange {
  Expr from, to;
};

/// An end that is read from memory: once, and only if an iteration is left.
struct ReadEnd {
  std::string name;
  Expr value;
  Expr is_needed;  // undefined: always
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
    if (!is_all_behind_tests(loop) || has_convergent_operation(loop.body[0])) return stmt;
    start_loop(loop);
    return loop.body[0]->kind == StmtKind::Block ? trim_to_any(stmt, bounds) : trim_to_test(stmt, bounds);
  }

  /// Runs the loop over the range in which one of several tests holds. The tests stay.
  Stmt trim_to_any(const Stmt& stmt, const Bounds& bounds) const {
    const StmtNode& loop = *stmt;
    const LoopRange all{loop.min(), simplify(loop.min() + loop.extent(), bounds)};
    LoopRange any;
    for (const Stmt& test : loop.body[0]->body) {
      LoopRange kept = all;
      for (const Expr& part : parts_of(test->condition())) take(part, loop.name, kept);
      any.from = any.from.defined() ? min(any.from, kept.from) : kept.from;
      any.to = any.to.defined() ? max(any.to, kept.to) : kept.to;
    }
    return over(stmt, all, {simplify(any.from, bounds), simplify(any.to, bounds)}, loop.body[0], bounds);
  }

  /// Returns the loop over the range; the loop itself if that is all of it.
  static Stmt over(const Stmt& stmt, const LoopRange& all, const LoopRange& range, const Stmt& body,
                   const Bounds& bounds) {
    if (same(range.from, all.from) && same(range.to, all.to)) return stmt;
    return make_for(stmt->name, range.from, simplify(range.to - range.from, bounds), stmt->loop, body);
  }

  Stmt trim_to_test(const Stmt& stmt, const Bounds& bounds) {
    const StmtNode& loop = *stmt;
    const LoopRange all{loop.min(), simplify(loop.min() + loop.extent(), bounds)};
    LoopRange kept = all;
    std::vector<Expr> rest;
    for (const Expr& part : parts_of(loop.body[0]->condition())) {
      if (!take(part, loop.name, kept)) rest.push_back(part);
    }
    std::vector<ReadEnd> ends;
    while (!rest.empty()) {
      // An end is read only where the parts before it hold in some iteration.
      const LoopRange before{simplify(kept.from, bounds), simplify(kept.to, bounds)};
      auto end = take_read(rest[0], loop, kept);
      if (!end) break;
      if (!can_prove(before.from < before.to, bounds)) end->is_needed = before.from < before.to;
      ends.push_back(*end);
      rest.erase(rest.begin());
    }
    Stmt body = loop.body[0]->body[0];
    Expr test;
    for (const Expr& part : rest) test = test.defined() ? make_binary(ExprKind::And, test, part) : part;
    if (test.defined()) body = make_if(test, body);
    Stmt result = over(stmt, all, {simplify(kept.from, bounds), simplify(kept.to, bounds)}, body, bounds);
    for (const ReadEnd& end : std::ranges::reverse_view(ends)) {
      result = make_let(end.name, end.value, result);
      if (end.is_needed.defined()) result = make_if(end.is_needed, result);
    }
    return result;
  }

  void start_loop(const StmtNode& loop) {
    bound_ = {loop.name};
    stored_.clear();
    visit(loop.body[0], [&](const Stmt& s) {
      if (s->kind == StmtKind::For || s->kind == StmtKind::Let) bound_.insert(s->name);
      if (s->kind == StmtKind::Store) stored_.insert(s->name);
      return true;
    });
  }

  /// True if the value is the same in every iteration.
  bool is_invariant(const Expr& expr) const {
    bool result = true;
    visit(expr, [&](const Expr& e) {
      result = result && !(e->kind == ExprKind::Var && bound_.contains(e->name)) &&
               !(e->kind == ExprKind::Load && stored_.contains(e->name));
      return result;
    });
    return result;
  }

  /// Returns the parts of a && b && c, in this order.
  static std::vector<Expr> parts_of(const Expr& condition) {
    if (condition->kind != ExprKind::And) return {condition};
    std::vector<Expr> parts = parts_of((*condition)[0]);
    std::ranges::copy(parts_of((*condition)[1]), std::back_inserter(parts));
    return parts;
  }

  /// Narrows `kept` by the condition, if it holds from some iteration on or up to one.
  bool take(const Expr& condition, const std::string& variable, LoopRange& kept) const {
    const bool is_less = condition->kind == ExprKind::Lt || condition->kind == ExprKind::Le;
    if (!is_less || (*condition)[0].type() != Int(32) || reads_memory(condition)) return false;
    // The condition holds where the margin is >= 0.
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

  /// Likewise for an end that is read from memory. It is read once, and may be any number: clamp it before
  /// arithmetic.
  std::optional<ReadEnd> take_read(const Expr& condition, const StmtNode& loop, LoopRange& kept) {
    const bool is_less = condition->kind == ExprKind::Lt || condition->kind == ExprKind::Le;
    if (!is_less || (*condition)[0].type() != Int(32) || !reads_memory(condition)) return {};
    const auto is_own = [&](const Expr& e) { return e->kind == ExprKind::Var && e->name == loop.name; };
    const bool is_upper = is_own((*condition)[0]);
    const Expr& other = (*condition)[is_upper ? 1 : 0];
    if ((!is_upper && !is_own((*condition)[1])) || !is_invariant(other)) return {};
    const std::string name = fresh_.numbered(loop.name + (is_upper ? ".end" : ".first"));
    const Expr end = make_var(name);
    const bool is_strict = condition->kind == ExprKind::Lt;
    if (is_upper) {
      kept.to = min(kept.to, is_strict ? end : end + 1);
    } else {
      kept.from = max(kept.from, is_strict ? end + 1 : end);
    }
    return ReadEnd{name, min(max(other, loop.min() - 1), loop.min() + loop.extent()), {}};
  }

  NameSupply fresh_;
  std::set<std::string> bound_, stored_;  // names in the body of the current loop
};

}  // namespace

Stmt trim_loops(const Stmt& stmt, const Bounds& bounds) {
  return has_such_loop(*stmt) ? Trimming(stmt).run(stmt, bounds) : stmt;
}

}  // namespace tensordsl::lower
