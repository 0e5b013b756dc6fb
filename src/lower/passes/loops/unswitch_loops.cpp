#include "lower/passes/loops/unswitch_loops.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "ir/simplify/simplifier.h"
#include "lower/analyze/convergent_operations.h"
#include "lower/passes/loops/boundary_tests.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A kernel of more statements is not copied.
constexpr int kMaximumUnswitchedStores = 1024;
/// Number of reads under one test that are worth a copy without it, even outside of loops.
constexpr int kManyReads = 4;

/// Returns the test that all sums are >= 0; undefined if a constant does not fit an i32.
Expr test_of(const std::vector<LinearForm>& margins) {
  // If sums differ by a constant, only the least is tested.
  std::vector<LinearForm> least;
  for (const LinearForm& margin : margins) {
    const auto known = std::find_if(least.begin(), least.end(),
                                    [&](const LinearForm& other) { return (other - margin).is_constant(); });
    if (known == least.end()) {
      least.push_back(margin);
    } else {
      known->constant = std::min(known->constant, margin.constant);
    }
  }
  Expr all;
  for (const LinearForm& margin : least) {
    const auto sum = to_expr(margin, Int(32));
    if (!sum) return Expr();
    const Expr test = Expr(0) <= *sum;
    all = all.defined() ? all && test : test;
  }
  return all;
}

/// for k { if (c) s }   ->   if (c) { for k s }
Stmt with_test_outside(const Stmt& loop) {
  const Stmt& test = loop->body[0];
  if (test->kind != StmtKind::If || test->body.size() > 1) return loop;
  Expr outside, inside;
  for (const Expr& part : operands_of_chain(test->condition(), ExprKind::And)) {
    // A part may guard the loads in those after it.
    const bool stays = inside.defined() || uses_var(part, loop->name) || reads_memory(part);
    Expr& place = stays ? inside : outside;
    place = place.defined() ? place && part : part;
  }
  if (!outside.defined()) return loop;
  const Stmt body = inside.defined() ? make_if(inside, test->body[0]) : test->body[0];
  return make_if(outside,
                 with_test_outside(make_for(loop->name, loop->min(), loop->extent(), loop->loop, body)));
}

Stmt with_tests_outside(const Stmt& stmt) {
  const Stmt s = map_children(stmt, nullptr, with_tests_outside);
  return s->kind == StmtKind::For ? with_test_outside(s) : s;
}

bool has_loop(const Stmt& s) {
  return s->kind == StmtKind::For || std::any_of(s->body.begin(), s->body.end(), has_loop);
}

/// The context of a statement.
struct Region {
  KernelScope scope;
  std::vector<std::string> loops = {};  // around it
  bool is_seen = false;                 // tests that do not use the innermost one were handled outside

  Region inside(const StmtNode& stmt) const {
    Region result{scope.inside(stmt), loops, is_seen};
    if (stmt.kind == StmtKind::For) result.loops.push_back(stmt.name);
    return result;
  }
};

class Unswitching {
 public:
  explicit Unswitching(const Stmt& kernel) : stores_(count_stores(kernel)) {}

  Stmt run(const Stmt& s, const Region& region) {
    const bool is_unit = s->kind == StmtKind::For || s->kind == StmtKind::Allocate ||
                         s->kind == StmtKind::Store || (s->kind == StmtKind::Block && !has_loop(s));
    if (is_unit && !has_convergent_operation(s)) return split(s, region);
    const Region inside = region.inside(*s);
    return map_children(s, nullptr, [&](const Stmt& child) { return run(child, inside); });
  }

 private:
  Stmt split(const Stmt& s, const Region& region) {
    const KernelScope& scope = region.scope;
    const int stores = count_stores(s);
    std::vector<BoundaryTest> tests = boundary_tests(s);
    std::vector<LinearForm> margins;
    std::erase_if(tests, [&](const BoundaryTest& t) { return !add_margins(t, region, margins); });
    const bool is_worth_it = std::any_of(tests.begin(), tests.end(), [](const BoundaryTest& t) {
      return t.site.is_innermost || is_costly_outside_loops(t);
    });
    if (!is_worth_it || stores_ + stores > kMaximumUnswitchedStores) return enter(s, region);
    const Expr test = test_of(margins);
    const Expr chosen = test.defined() ? simplify(test, scope.bounds) : test;
    if (!chosen.defined() || is_const(chosen)) return enter(s, region);
    stores_ += stores;
    const Stmt both = simplify(make_if(chosen, with_tests_decided(s, tests, true), s), scope.bounds);
    if (!both.defined() || both->kind != StmtKind::If || both->body.size() < 2) return both;
    // A single test is decided in the other copy as well, which may have further tests.
    const bool is_one =
        tests.size() == 1 && tests[0].is_exact && (tests[0].required[0] - margins[0]).is_zero();
    return make_if(both->condition(), enter(both->body[0], region),
                   is_one ? run(both->body[1], region) : enter(both->body[1], region));
  }

  /// Returns the bodies of the loops in `s`.
  Stmt enter(const Stmt& s, const Region& region) {
    Region inside = region.inside(*s);
    const bool is_loop = s->kind == StmtKind::For;
    if (is_loop) inside.is_seen = true;
    return map_children(
        s, nullptr, [&](const Stmt& child) { return is_loop ? run(child, inside) : enter(child, inside); });
  }

  /// True for a test of vectors, whose lanes are tested and read one by one, and for one of many reads.
  static bool is_costly_outside_loops(const BoundaryTest& test) {
    return test.condition.type().lanes > 1 || test.site.reads >= kManyReads;
  }

  /// Adds the margins of a test that can be made outside the statement, for the whole group; false if it
  /// cannot.
  static bool add_margins(const BoundaryTest& test, const Region& region, std::vector<LinearForm>& margins) {
    if (!test.site.is_in_loop && !is_costly_outside_loops(test)) return false;
    std::vector<LinearForm> found;
    for (const LinearForm& margin : test.required) {
      const auto least = least_in_group(margin, region.scope);
      const auto sum = least ? to_expr(*least, Int(32)) : std::nullopt;
      if (!sum || can_prove(*sum < 0, region.scope.bounds)) return false;
      if (region.is_seen && !uses_var(*sum, region.loops.back())) return false;
      // partition_loops handles a test that is monotonic in a loop.
      const bool is_parted =
          std::any_of(region.loops.begin(), region.loops.end(),
                      [&](const std::string& loop) { return least->coefficient_of(make_var(loop)) != 0; });
      if (is_parted) return false;
      found.push_back(*least);
    }
    margins.insert(margins.end(), found.begin(), found.end());
    return true;
  }

  int stores_;  // stores of the whole kernel, as it grows
};

}  // namespace

Stmt unswitch_loops(const Stmt& stmt, const Bounds& bounds) {
  return Unswitching(stmt).run(with_tests_outside(stmt), {{bounds, {}}});
}

}  // namespace tensordsl::lower
