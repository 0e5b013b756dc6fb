// Reads of a tensor in expressions and statements. Reads are Loads.
#pragma once

#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Reads are Loads.
bool reads(const Expr& expr, const std::string& tensor);
bool reads(const ir::Stmt& stmt, const std::string& tensor);

/// Replaces reads of the tensor by zeros. For reads under conditions that never hold, which may have any
/// value.
ir::Stmt without_reads(const ir::Stmt& stmt, const std::string& tensor);

}  // namespace tensordsl::lower
