#include "lower/passes/arithmetic/inline_lets.h"

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

Stmt inline_lets(const Stmt& stmt, const Substitution& values) {
  // Memory may change between the definition of a name and its uses.
  if (stmt->kind == StmtKind::Let && !reads_memory(stmt->value())) {
    Substitution inner = values;
    inner[stmt->name] = substitute(stmt->value(), values);
    return inline_lets(stmt->body[0], inner);
  }
  return map_children(
      stmt, [&](const Expr& e) { return substitute(e, values); },
      [&](const Stmt& s) { return inline_lets(s, values); });
}

}  // namespace

Stmt inline_lets(const Stmt& stmt) { return inline_lets(stmt, {}); }

}  // namespace tensordsl::lower
