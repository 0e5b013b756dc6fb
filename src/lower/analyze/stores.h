// Stores in a statement.
#pragma once

#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// True if the statement stores to the tensor.
bool stores_to(const ir::Stmt& stmt, const std::string& tensor);

}  // namespace tensordsl::lower
