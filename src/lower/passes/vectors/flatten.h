// The statements of a block as one list.
#pragma once

#include <vector>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Appends the statements of nested blocks to `flat`: { a { b c } d }   ->   a b c d
inline void flatten(const ir::Stmt& block, std::vector<ir::Stmt>& flat) {
  for (const ir::Stmt& s : block->body) {
    if (s->kind == ir::StmtKind::Block) {
      flatten(s, flat);
    } else {
      flat.push_back(s);
    }
  }
}

}  // namespace tensordsl::lower
