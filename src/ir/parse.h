// Reads the text form of print.h. Throws ParseError with line, column, what was found and what was expected.
#pragma once

#include <string_view>

#include "ir/stmt.h"

namespace tensordsl::ir {

Expr parse_expr(std::string_view text);
Stmt parse_stmt(std::string_view text);

}  // namespace tensordsl::ir
