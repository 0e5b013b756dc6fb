#include "lower/passes/memory/split_tuples.h"

#include <utility>

namespace tensordsl::lower {

using namespace ir;

namespace {

std::vector<Expr> at_least_one(std::vector<Expr> exprs, int otherwise) {
  if (exprs.empty()) exprs.emplace_back(otherwise);
  return exprs;
}

Expr split(const Expr& expr) {
  return rewrite(expr, [](const Expr& e) {
    if (e->kind != ExprKind::Load || (e->component == kWhole && !e->operands.empty())) return e;
    return make_load(e.type(), buffer_name(e->name, e->component), at_least_one(e->operands, 0), e->value);
  });
}

}  // namespace

Stmt split_tuples(const Stmt& stmt) {
  const Stmt s = map_children(stmt, split, split_tuples);
  if (s->kind == StmtKind::Allocate && s->extents().empty())
    return make_allocate(s->name, s->type, {Expr(1)}, s->memory, s->body[0]);
  if (s->kind != StmtKind::Store || (s->component == kWhole && s->exprs.size() > 1)) return s;
  return make_store(buffer_name(s->name, s->component), s->value(), at_least_one(s->indices(), 0),
                    s->alignment);
}

}  // namespace tensordsl::lower
