#include "lower/passes/loops/boundary_tests.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ir/simplify/simplifier.h"
#include "lower/passes/vectors/lanes.h"
#include "lower/passes/work_items/map_work_items.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

bool is_serial_loop(const Stmt& s) { return s->kind == StmtKind::For && s->loop == LoopKind::Serial; }

bool is_item_index(const std::string& name) {
  return std::find(std::begin(kThreadNames), std::end(kThreadNames), name) != std::end(kThreadNames);
}

bool has_serial_loop(const Stmt& stmt) {
  return is_serial_loop(stmt) || std::any_of(stmt->body.begin(), stmt->body.end(), has_serial_loop);
}

/// Returns a sum that is >= 0 exactly where the scalar comparison has the value `holds`.
LinearForm margin_of(const Expr& comparison, bool holds) {
  const auto& e = *comparison;
  LinearForm margin = LinearForm(e[1]) - LinearForm(e[0]);
  if (!holds) margin.scale(-1);
  // a < b is b - a - 1 >= 0, and !(a <= b) is a - b - 1 >= 0.
  if ((e.kind == ExprKind::Lt) == holds) margin.constant -= 1;
  return margin;
}

bool is_linear_in_lane(const Expr& e) {
  return e.type().lanes == 1 || e->kind == ExprKind::Ramp || e->kind == ExprKind::Broadcast;
}

class Collector {
 public:
  explicit Collector(const Stmt& stmt) {
    visit(stmt, [&](const Stmt& s) {
      if (s->kind == StmtKind::For || s->kind == StmtKind::Let) bound_.insert(s->name);
      return true;
    });
  }

  void run(const Stmt& s, const TestSite& site) {
    if (s->kind == StmtKind::If) {
      TestSite of_statement = site;
      of_statement.is_of_statement = true;
      add(s->condition(), true, of_statement);
    }
    TestSite of_read = site;
    of_read.reads = 1;
    for (const Expr& expr : s->exprs) {
      visit(expr, [&](const Expr& e) {
        if (e->kind == ExprKind::Select) add_guard(*e, of_read);
        return true;
      });
    }
    TestSite inside = site;
    if (is_serial_loop(s)) {
      inside.is_in_loop = true;
      inside.is_innermost = !has_serial_loop(s->body[0]);
    }
    for (const Stmt& child : s->body) run(child, inside);
  }

  std::vector<BoundaryTest> take() { return std::move(tests_); }

 private:
  void add_guard(const ExprNode& select, const TestSite& site) {
    if (reads_memory(select[1])) {
      add(select[0], true, site);
    } else if (reads_memory(select[2])) {
      add(select[0], false, site);
    }
  }

  void add(const Expr& condition, bool inside, const TestSite& site) {
    const ExprKind junction = inside ? ExprKind::And : ExprKind::Or;
    if (condition->kind == junction || condition->kind == ExprKind::Broadcast) {
      for (const Expr& part : condition->operands) add(part, inside, site);
      return;
    }
    if (condition->kind == ExprKind::Not) return add((*condition)[0], !inside, site);
    if (condition->kind != ExprKind::Lt && condition->kind != ExprKind::Le) return;
    const auto [known, is_new] = places_.emplace(condition, tests_.size());
    if (!is_new) {
      if (known->second != kNone) tests_[known->second].site |= site;
      return;
    }
    known->second = kNone;
    const auto& sides = *condition;
    const bool is_usable = sides[0].type().element() == Int(32) && is_linear_in_lane(sides[0]) &&
                           is_linear_in_lane(sides[1]) && !reads_memory(condition) && !uses_bound(condition);
    if (!is_usable) return;
    BoundaryTest test{condition, inside, {}, condition.type().lanes == 1, site};
    test.required.push_back(margin_of(lane_of(condition, 0), inside));
    // Linear in the lane: test the first and the last one.
    if (!test.is_exact)
      test.required.push_back(margin_of(lane_of(condition, condition.type().lanes - 1), inside));
    known->second = tests_.size();
    tests_.push_back(std::move(test));
  }

  bool uses_bound(const Expr& expr) const {
    bool found = false;
    visit(expr, [&](const Expr& e) {
      found = found || (e->kind == ExprKind::Var && bound_.contains(e->name));
      return !found;
    });
    return found;
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::set<std::string> bound_;
  std::vector<BoundaryTest> tests_;
  std::unordered_map<Expr, std::size_t, ExprHash, ExprSame> places_;  // positions of conditions in `tests_`
};

using Values = std::unordered_map<Expr, bool, ExprHash, ExprSame>;

Stmt with_values(const Stmt& stmt, const Values& values) {
  return map_children(
      stmt,
      [&](const Expr& expr) {
        return rewrite(expr, [&](const Expr& e) {
          const auto it = e.type().is_bool() ? values.find(e) : values.end();
          return it == values.end() ? e : make_broadcast(make_bool(it->second), e.type().lanes);
        });
      },
      [&](const Stmt& child) { return with_values(child, values); });
}

}  // namespace

TestSite& TestSite::operator|=(const TestSite& other) {
  is_of_statement |= other.is_of_statement;
  is_in_loop |= other.is_in_loop;
  is_innermost |= other.is_innermost;
  reads += other.reads;
  return *this;
}

std::vector<BoundaryTest> boundary_tests(const Stmt& stmt) {
  Collector collector(stmt);
  collector.run(stmt, {.is_innermost = !has_serial_loop(stmt)});
  return collector.take();
}

Stmt with_tests_decided(const Stmt& stmt, const std::vector<BoundaryTest>& tests, bool inside) {
  Values values;
  for (const BoundaryTest& t : tests) values.emplace(t.condition, t.inside == inside);
  return values.empty() ? stmt : with_values(stmt, values);
}

bool KernelScope::varies(const Expr& expr) const {
  bool found = reads_memory(expr);
  visit(expr, [&](const Expr& e) {
    found = found || (e->kind == ExprKind::Var && (is_item_index(e->name) || varying.contains(e->name)));
    return !found;
  });
  return found;
}

KernelScope KernelScope::inside(const StmtNode& stmt) const {
  if (stmt.kind != StmtKind::For && stmt.kind != StmtKind::Let) return *this;
  KernelScope result = *this;
  result.varying.erase(stmt.name);
  for (const Expr& e : stmt.exprs) {
    if (varies(e)) result.varying.insert(stmt.name);
  }
  Interval& range = result.bounds[stmt.name];
  range = bounds_of(stmt.kind == StmtKind::For ? stmt.min() : stmt.value(), bounds);
  if (stmt.kind == StmtKind::For) {
    const std::int64_t steps = bounds_of(stmt.extent(), bounds).high;
    range.high = saturating_add(range.high, saturating_add(steps, -1));
  }
  return result;
}

std::optional<LinearForm> least_in_group(const LinearForm& form, const KernelScope& scope) {
  LinearForm least(form.constant);
  for (const Term& term : form.terms()) {
    const bool is_item = term.atom->kind == ExprKind::Var && is_item_index(term.atom->name);
    if (!is_item) {
      if (scope.varies(term.atom)) return std::nullopt;
      least.add_atom(term.atom, term.coefficient);
      continue;
    }
    const auto range = scope.bounds.find(term.atom->name);
    if (range == scope.bounds.end()) return std::nullopt;
    least.constant += term.coefficient * (term.coefficient > 0 ? range->second.low : range->second.high);
  }
  return least;
}

int count_stores(const Stmt& stmt) {
  int stores = 0;
  visit(stmt, [&](const Stmt& s) {
    stores += s->kind == StmtKind::Store;
    return true;
  });
  return stores;
}

}  // namespace tensordsl::lower
