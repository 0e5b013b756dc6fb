#include "lower/passes/loops/partition_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "lower/analyze/convergent_operations.h"
#include "lower/name_supply.h"
#include "lower/passes/loops/boundary_tests.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Copies of a statement: enough for borders on both sides of two nested loops, or of one in a large kernel.
constexpr int kMaximumPartitions = 9, kMinimumPartitions = 3;
/// Stores that a kernel may have after copying.
constexpr int kStores = 512;

/// Iterations of a loop body up to which it may diverge between the work-items of a group.
constexpr std::int64_t kShort = 16;

/// The range [from, to) of a loop in which all tests hold.
struct Cut {
  Expr from, to;  // undefined: the loop's own end
  std::vector<BoundaryTest> tests;
  std::vector<BoundaryTest> fail_before, fail_behind;  // those that never hold before `from`, or from `to` on
};

/// An end of the range in which a test holds.
struct End {
  Expr at;
  bool is_first = false;  // the test holds from there on, else up to there
  bool is_exact = false;  // and nowhere beyond
  const BoundaryTest* test = nullptr;
};

/// Returns the most iterations of the loops in a statement.
std::int64_t iterations_in(const Stmt& s) {
  std::int64_t most = 1;
  for (const Stmt& child : s->body) most = std::max(most, iterations_in(child));
  if (s->kind != StmtKind::For) return most;
  return saturating_mul(most, std::max<std::int64_t>(bounds_of(s->extent(), {}).high, 0));
}

class CutFinder {
 public:
  CutFinder(const StmtNode& loop, const KernelScope& scope)
      : loop_(loop),
        scope_(scope),
        is_short_(iterations_in(loop.body[0]) <= kShort && !has_convergent_operation(loop.body[0])) {}

  std::optional<Cut> run() const {
    // The work-items of a group would cut such a loop at different iterations.
    if (has_convergent_operation(loop_.body[0]) && scope_.varies(loop_.min())) return std::nullopt;
    const std::vector<BoundaryTest> tests = boundary_tests(loop_.body[0]);
    Cut cut;
    std::vector<End> ends;
    for (const BoundaryTest& test : tests) {
      const std::vector<End> added = ends_of(test);
      if (!added.empty()) cut.tests.push_back(test);
      ends.insert(ends.end(), added.begin(), added.end());
    }
    if (ends.empty()) return std::nullopt;
    const Expr start = loop_.min(), stop = start + loop_.extent();
    const Expr first = innermost(ends, true), end = innermost(ends, false);
    if (first.defined()) cut.from = simplify(min(max(start, first), stop), scope_.bounds);
    if (end.defined()) cut.to = simplify(min(stop, end), scope_.bounds);
    for (const End& e : ends) {
      if (!e.is_exact || !same(e.at, e.is_first ? first : end)) continue;
      (e.is_first ? cut.fail_before : cut.fail_behind).push_back(*e.test);
    }
    return cut;
  }

 private:
  /// Returns nothing if the test does not change with the loop.
  std::vector<End> ends_of(const BoundaryTest& test) const {
    std::vector<End> ends;
    if (!test.site.is_innermost) return ends;
    for (const LinearForm& margin : test.required) {
      const auto end = end_of(margin, test);
      if (!end) return {};
      ends.push_back(*end);
    }
    return ends;
  }

  std::optional<End> end_of(const LinearForm& margin, const BoundaryTest& test) const {
    const bool is_own = is_short_ && !test.site.is_of_statement;
    auto rest = is_own ? std::optional(margin) : least_in_group(margin, scope_);
    const Expr variable = make_var(loop_.name);
    const std::int64_t step = margin.coefficient_of(variable);
    if (!rest || step == 0) return std::nullopt;
    End end{Expr(), step > 0, test.is_exact && (*rest - margin).is_zero(), &test};
    // The condition holds where step*variable + rest >= 0. Divisions round down.
    rest->add_atom(variable, -step);
    if (end.is_first) *rest = *rest * -1 + LinearForm(step - 1);
    const auto sum = to_expr(*rest, Int(32));
    if (!sum || uses_var(*sum, loop_.name)) return std::nullopt;
    const Expr quotient = *sum / static_cast<int>(std::abs(step));
    end.at = simplify(end.is_first ? quotient : quotient + 1, scope_.bounds);
    return end;
  }

  Expr innermost(const std::vector<End>& ends, bool is_first) const {
    Expr result;
    for (const End& e : ends) {
      if (e.is_first != is_first) continue;
      const Expr both = !result.defined() ? e.at : is_first ? max(result, e.at) : min(result, e.at);
      result = simplify(both, scope_.bounds);
    }
    return result;
  }

  const StmtNode& loop_;
  const KernelScope& scope_;
  bool is_short_;
};

/// Counts the reads of the text under the tests of a cut.
int guarded_reads(const std::optional<Cut>& cut) {
  int reads = 0;
  for (std::size_t i = 0; cut && i < cut->tests.size(); ++i) reads += cut->tests[i].site.reads;
  return reads;
}

/// Counts them for the loop in `s` that has the most.
int most_guarded_reads(const Stmt& s, const KernelScope& scope) {
  int most = 0;
  if (s->kind == StmtKind::For && s->loop == LoopKind::Serial)
    most = guarded_reads(CutFinder(*s, scope).run());
  const KernelScope inside = scope.inside(*s);
  for (const Stmt& child : s->body) most = std::max(most, most_guarded_reads(child, inside));
  return most;
}

class Partitioning {
 public:
  explicit Partitioning(const Stmt& kernel)
      : fresh_(kernel),
        most_(std::clamp(kStores / std::max(count_stores(kernel), 1), kMinimumPartitions,
                         kMaximumPartitions)) {}

  Stmt run(const Stmt& kernel, const KernelScope& scope) { return run(kernel, scope, most_).stmt; }

 private:
  struct Result {
    Stmt stmt;
    int copies = 1;  // most copies of one statement
  };
  struct Part {
    Stmt loop;
    bool is_cut_again = false;  // true: remaining tests cut it again
  };

  Result run(const Stmt& s, const KernelScope& scope, int most) {
    if (s->kind == StmtKind::For && s->loop == LoopKind::Serial) {
      if (Result parted = part(*s, scope, most); parted.stmt.defined()) return parted;
    }
    return enter(s, scope, most);
  }

  Result enter(const Stmt& s, const KernelScope& scope, int most) {
    Result result;
    const KernelScope inside = scope.inside(*s);
    result.stmt = map_children(s, nullptr, [&](const Stmt& child) {
      Result inner = run(child, inside, most);
      result.copies = std::max(result.copies, inner.copies);
      return inner.stmt;
    });
    return result;
  }

  /// Returns nothing if the loop stays whole.
  Result part(const StmtNode& loop, const KernelScope& around, int most) {
    const auto cut = most > 1 ? CutFinder(loop, around).run() : std::nullopt;
    if (!cut) return {};
    KernelScope scope = around;
    std::vector<std::pair<std::string, Expr>> names;
    const auto named = [&](const Expr& value, std::string_view end) {
      if (value->operands.empty()) return value;
      names.emplace_back(fresh_.named(fmt::format("{}.{}{}", loop.name, end, names_)), value);
      scope.bounds[names.back().first] = bounds_of(value, scope.bounds);
      return make_var(names.back().first);
    };
    const Expr start = loop.min(), stop = simplify(start + loop.extent(), scope.bounds);
    const Expr from = cut->from.defined() ? named(cut->from, "first") : start;
    const Expr to = cut->to.defined() ? named(simplify(max(from, cut->to), scope.bounds), "end") : stop;
    if (can_prove(to <= from, scope.bounds)) return {};
    const auto loop_over = [&](const Expr& first, const Expr& end, const Stmt& body) {
      return simplify(make_for(loop.name, first, end - first, loop.loop, body), scope.bounds);
    };
    const Stmt& body = loop.body[0];
    Part middle{loop_over(from, to, with_tests_decided(body, cut->tests, true))};
    Part before{cut->from.defined()
                    ? loop_over(start, from, with_tests_decided(body, cut->fail_before, false))
                    : Stmt(),
                !cut->fail_before.empty()};
    Part behind{
        cut->to.defined() ? loop_over(to, stop, with_tests_decided(body, cut->fail_behind, false)) : Stmt(),
        !cut->fail_behind.empty()};
    // The middle loop, which has most iterations, is cut further first.
    Part* const parts[] = {&middle, &before, &behind};
    int copies = 0;
    for (const Part* p : parts) copies += p->loop.defined();
    if (copies > most) return {};
    // If only one of two nested loops can be cut, it is the inner one if its tests guard more reads.
    const bool is_last = most - copies + 1 < kMinimumPartitions;
    if (is_last && guarded_reads(cut) < most_guarded_reads(body, around.inside(loop))) return {};
    ++names_;
    for (Part* p : parts) {
      if (!p->loop.defined()) continue;
      const bool is_loop = p->loop->kind == StmtKind::For && p->loop->name == loop.name;
      const int left = most - copies + 1;
      const Result inner =
          is_loop && !p->is_cut_again ? enter(p->loop, scope, left) : run(p->loop, scope, left);
      p->loop = inner.stmt;
      copies += inner.copies - 1;
    }
    Stmt result = make_block({before.loop, middle.loop, behind.loop});
    for (std::size_t i = names.size(); i-- > 0;) result = make_let(names[i].first, names[i].second, result);
    return {result, copies};
  }

  NameSupply fresh_;
  int most_;
  int names_ = 0;
};

}  // namespace

Stmt partition_loops(const Stmt& stmt, const Bounds& bounds) {
  return Partitioning(stmt).run(stmt, {bounds, {}});
}

}  // namespace tensordsl::lower
