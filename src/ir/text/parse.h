// Reads the text form of print.h. Throws ParseError that names the line, the column, the text found and the
// text expected.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/nodes/stmt.h"

namespace tensordsl::ir {

Expr parse_expr(std::string_view text);
/// Makes a call of a Func while an expression is parsed; undefined: there is no Func of that name.
using ParseCall = std::function<Expr(const std::string& name, std::vector<Expr> indices)>;
Expr parse_expr(std::string_view text, const ParseCall& call);
Stmt parse_stmt(std::string_view text);

}  // namespace tensordsl::ir
