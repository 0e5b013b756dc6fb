#include "backends/opencl/emit/definite_assignment.h"

#include <algorithm>

namespace tensordsl::opencl {

using namespace ir;

bool is_assigned(const Stmt& stmt, const std::string& variable) {
  if (!stmt.defined()) return false;
  const auto assigns = [&](const Stmt& s) { return is_assigned(s, variable); };
  switch (stmt->kind) {
    case StmtKind::Store:
      return stmt->name == variable;
    case StmtKind::Block:
      return std::any_of(stmt->body.begin(), stmt->body.end(), assigns);
    case StmtKind::If:
      return stmt->body.size() == 2 && std::all_of(stmt->body.begin(), stmt->body.end(), assigns);
    case StmtKind::For: {
      const std::int64_t* extent = as_int(stmt->exprs[1]);
      return extent && *extent > 0 && assigns(stmt->body[0]);
    }
    case StmtKind::Let:
    case StmtKind::Allocate:
      return assigns(stmt->body[0]);
    case StmtKind::Barrier:
      return false;
  }
  return false;
}

}  // namespace tensordsl::opencl
