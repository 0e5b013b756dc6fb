#include "lower/passes/eliminate_common_subexpressions.h"

#include <set>
#include <string>

#include "lower/statement_sharing.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

Stmt share(const Stmt& stmt, SharedKernel& kernel) {
  const Stmt s = map_children(stmt, nullptr, [&](const Stmt& child) { return share(child, kernel); });
  return s->kind == StmtKind::Allocate || s->exprs.empty() ? s : share_in_statement(s, kernel);
}

std::set<std::string> registers_of(const Stmt& kernel) {
  std::set<std::string> names;
  visit(kernel, [&](const Stmt& s) {
    if (s->kind == StmtKind::Allocate && s->memory == Memory::Register) names.insert(s->name);
    return true;
  });
  return names;
}

}  // namespace

Stmt eliminate_common_subexpressions(const Stmt& stmt, const Images& images) {
  SharedKernel kernel{images, registers_of(stmt), NameSupply(stmt)};
  return share(stmt, kernel);
}

}  // namespace tensordsl::lower
