// Which expressions and statements read a tensor.
#pragma once

#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Reads are Loads.
bool reads(const Expr& expr, const std::string& tensor);
bool reads(const ir::Stmt& stmt, const std::string& tensor);

/// Reads that stand behind conditions that never hold may have any value: zeros.
ir::Stmt without_reads(const ir::Stmt& stmt, const std::string& tensor);

}  // namespace tensordsl::lower
