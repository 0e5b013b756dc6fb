#include "lower/passes/memory/align_accesses.h"

#include <algorithm>
#include <numeric>

#include "ir/simplify/simplifier.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

class Alignment {
 public:
  explicit Alignment(const Bounds& bounds) : known_(bounds) {}

  Stmt run(const Stmt& stmt) {
    if (stmt->kind == StmtKind::Let) {
      const Expr value = run(stmt->value());
      const Simplifier::Scope scope(known_);
      const bool is_index = value.type() == Int(32);
      if (is_index) known_.define(stmt->name, known_.simplify(value));
      return make_let(stmt->name, value, run(stmt->body[0]));
    }
    const Stmt s = map_children(
        stmt, [&](const Expr& e) { return run(e); }, [&](const Stmt& child) { return run(child); });
    if (s->kind != StmtKind::Store || s->exprs.size() != 2) return s;
    const std::int64_t alignment = alignment_of(s->index());
    if (alignment == s->alignment) return s;
    return make_store(s->name, s->value(), {s->index()}, alignment);
  }

 private:
  Expr run(const Expr& expr) {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Load || e->operands.size() != 1) return e;
      const std::int64_t alignment = alignment_of((*e)[0]);
      return alignment == e->value ? e : make_load(e.type(), e->name, e->operands, alignment);
    });
  }

  /// Returns 1 if nothing is known, or the access is of one element.
  std::int64_t alignment_of(const Expr& index) {
    if (index->kind != ExprKind::Ramp || !is_const((*index)[1], 1)) return 1;
    const Congruence first = known_.congruence(known_.simplify((*index)[0]));
    const std::int64_t divisor = std::gcd(first.modulus, first.remainder);
    std::int64_t alignment = 1;
    while (alignment < index.type().lanes && divisor % (alignment * 2) == 0) alignment *= 2;
    return alignment;
  }

  Simplifier known_;
};

}  // namespace

Stmt align_accesses(const Stmt& stmt, const Bounds& bounds) { return Alignment(bounds).run(stmt); }

}  // namespace tensordsl::lower
