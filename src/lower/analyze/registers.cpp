#include "lower/analyze/registers.h"

namespace tensordsl::lower {

std::set<std::string> register_names(const ir::Stmt& kernel) {
  std::set<std::string> names;
  ir::visit(kernel, [&](const ir::Stmt& s) {
    if (s->kind == ir::StmtKind::Allocate && s->memory == ir::Memory::Register) names.insert(s->name);
    return true;
  });
  return names;
}

}  // namespace tensordsl::lower
