#include "lower/passes/arithmetic/eliminate_common_subexpressions.h"

#include "lower/analyze/registers.h"
#include "lower/passes/arithmetic/statement_sharing.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

Stmt share(const Stmt& stmt, SharedKernel& kernel) {
  const Stmt s = map_children(stmt, nullptr, [&](const Stmt& child) { return share(child, kernel); });
  return s->kind == StmtKind::Allocate || s->exprs.empty() ? s : share_in_statement(s, kernel);
}

}  // namespace

Stmt eliminate_common_subexpressions(const Stmt& stmt, const Images& images) {
  SharedKernel kernel{images, register_names(stmt), NameSupply(stmt)};
  return share(stmt, kernel);
}

}  // namespace tensordsl::lower
