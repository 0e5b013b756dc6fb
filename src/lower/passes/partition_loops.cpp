#include "lower/passes/partition_loops.h"

#include <fmt/format.h>

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "ir/linear_form.h"
#include "ir/simplifier.h"
#include "lower/convergent_operations.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

using ExprSet = std::unordered_set<Expr, ExprHash, ExprSame>;

/// What a loop's tests ask of its variable.
struct Tests {
  ExprSet tests;  // they hold in [first, end)
  std::vector<Expr> firsts, ends;
};

class Partitioning {
 public:
  explicit Partitioning(const Bounds& bounds) : bounds_(bounds) {}

  Stmt run(const Stmt& s) {
    bool is_cut = false;
    return run(s, is_cut);
  }

 private:
  /// `is_cut` becomes true if a loop in `s` was parted: the loops around it are not, lest the text grows as a
  /// power.
  Stmt run(const Stmt& s, bool& is_cut) {
    bool inner_is_cut = false;
    const Stmt result = map_children(s, nullptr, [&](const Stmt& child) { return run(child, inner_is_cut); });
    is_cut |= inner_is_cut;
    if (inner_is_cut || s->kind != StmtKind::For || s->loop != LoopKind::Serial) return result;
    const Tests tests = tests_of(*s);
    if (tests.tests.empty()) return result;
    is_cut = true;
    return parted(*s, tests);
  }

  static Tests tests_of(const StmtNode& loop) {
    Tests found;
    if (has_convergent_operation(loop.body[0])) return found;
    std::set<std::string> bound;
    visit(loop.body[0], [&](const Stmt& s) {
      if (s->kind == StmtKind::For || s->kind == StmtKind::Let) bound.insert(s->name);
      return true;
    });
    visit(loop.body[0], nullptr, [&](const Expr& expr) {
      visit(expr, [&](const Expr& e) {
        if (e->kind == ExprKind::Select && (reads_memory((*e)[1]) || reads_memory((*e)[2]))) {
          add_tests((*e)[0], loop.name, bound, found);
        }
        return true;
      });
    });
    return found;
  }

  static void add_tests(const Expr& condition, const std::string& variable,
                        const std::set<std::string>& bound, Tests& found) {
    if (condition->kind == ExprKind::And || condition->kind == ExprKind::Broadcast) {
      for (const Expr& part : condition->operands) add_tests(part, variable, bound, found);
      return;
    }
    const bool is_order = condition->kind == ExprKind::Lt || condition->kind == ExprKind::Le;
    if (!is_order || (*condition)[0].type() != Int(32) || found.tests.contains(condition) ||
        reads_memory(condition))
      return;
    for (const std::string& name : bound) {
      if (uses_var(condition, name)) return;
    }
    // The test holds where sum < 0.
    LinearForm sum((*condition)[0]);
    sum.add((*condition)[1], -1);
    if (condition->kind == ExprKind::Le) sum.constant -= 1;
    const std::int64_t step = sum.coefficient_of(make_var(variable));
    sum.add_atom(make_var(variable), -step);
    const auto rest = to_expr(sum, Int(32));
    if ((step != 1 && step != -1) || !rest || uses_var(*rest, variable)) return;
    found.tests.insert(condition);
    if (step > 0) {
      found.ends.push_back(0 - *rest);
    } else {
      found.firsts.push_back(*rest + 1);
    }
  }

  Stmt parted(const StmtNode& loop, const Tests& tests) {
    const Expr start = loop.exprs[0], stop = start + loop.exprs[1];
    Expr first = start, end = stop;
    for (const Expr& e : tests.firsts) first = max(first, e);
    for (const Expr& e : tests.ends) end = min(end, e);
    const std::string first_name = fmt::format("{}.first{}", loop.name, parts_),
                      end_name = fmt::format("{}.end{}", loop.name, parts_);
    ++parts_;
    const Expr from = make_var(first_name), to = make_var(end_name);
    const Stmt& body = loop.body[0];
    const Stmt loops =
        make_block({make_for(loop.name, start, from - start, LoopKind::Serial, body),
                    make_for(loop.name, from, to - from, LoopKind::Serial, where_they_hold(body, tests)),
                    make_for(loop.name, to, stop - to, LoopKind::Serial, body)});
    const Stmt let = make_let(first_name, min(first, stop), make_let(end_name, max(from, end), loops));
    return simplify(let, bounds_);
  }

  static Stmt where_they_hold(const Stmt& stmt, const Tests& tests) {
    return map_children(
        stmt,
        [&](const Expr& expr) {
          return rewrite(expr, [&](const Expr& e) {
            return e.type() == Bool() && tests.tests.contains(e) ? make_bool(true) : e;
          });
        },
        [&](const Stmt& child) { return where_they_hold(child, tests); });
  }

  const Bounds& bounds_;
  int parts_ = 0;
};

}  // namespace

Stmt partition_loops(const Stmt& stmt, const Bounds& bounds) { return Partitioning(bounds).run(stmt); }

}  // namespace tensordsl::lower
