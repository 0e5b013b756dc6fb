#include "lower/analyze/stores.h"

namespace tensordsl::lower {

bool stores_to(const ir::Stmt& stmt, const std::string& tensor) {
  const ir::NameFilter name(tensor);
  bool found = false;
  ir::visit(stmt, [&](const ir::Stmt& s) {
    found = found || (s->kind == ir::StmtKind::Store && s->name == tensor);
    return !found && s->names.may_share(name);
  });
  return found;
}

}  // namespace tensordsl::lower
