// The notation of sizes, for the printer and the parser. It is part of the IR's (ir/text/notation.h).
#pragma once

#include <array>
#include <string_view>

#include "tensordsl/size_expr.h"

namespace tensordsl {

/// Says how tightly an operation binds; an operand that binds less tightly than its place demands gets
/// parentheses.
enum SizePrecedence : int { kSizeOr = 1, kSizeAnd, kSizeComparison, kSizeSum, kSizeProduct, kSizeUnary };

/// Binary operators are left-associative, except that comparisons do not chain.
struct SizeOperator {
  SizeExpr::Kind kind;
  std::string_view symbol;
  SizePrecedence precedence;
};

inline constexpr std::array<SizeOperator, 11> kSizeOperators{{
    {SizeExpr::Kind::Or, "||", kSizeOr},
    {SizeExpr::Kind::And, "&&", kSizeAnd},
    {SizeExpr::Kind::Eq, "==", kSizeComparison},
    {SizeExpr::Kind::Ne, "!=", kSizeComparison},
    {SizeExpr::Kind::Lt, "<", kSizeComparison},
    {SizeExpr::Kind::Le, "<=", kSizeComparison},
    {SizeExpr::Kind::Add, "+", kSizeSum},
    {SizeExpr::Kind::Sub, "-", kSizeSum},
    {SizeExpr::Kind::Mul, "*", kSizeProduct},
    {SizeExpr::Kind::Div, "/", kSizeProduct},
    {SizeExpr::Kind::Mod, "%", kSizeProduct},
}};

}  // namespace tensordsl
