// What a statement stores to.
#pragma once

#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Whether there is a Store to the tensor in the statement.
bool stores_to(const ir::Stmt& stmt, const std::string& tensor);

}  // namespace tensordsl::lower
