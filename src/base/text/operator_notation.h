// The notation of operators in the texts of sizes and of the IR, for their printers and parsers.
#pragma once

#include <array>
#include <string_view>

namespace tensordsl::notation {

/// Says how tightly an expression binds; an operand that binds less tightly than its context demands gets
/// parentheses.
enum Precedence : int { kOr = 1, kAnd, kComparison, kSum, kProduct, kUnary, kPrimary };

/// An operator and the kind of expression that it makes. Binary operators are left-associative, except that
/// comparisons do not chain.
template <typename Kind>
struct OperatorNotation {
  Kind kind;
  std::string_view symbol;
  Precedence precedence;
};

template <typename Kind>
inline constexpr std::array<OperatorNotation<Kind>, 11> kBinaryOperators{{
    {Kind::Or, "||", kOr},
    {Kind::And, "&&", kAnd},
    {Kind::Eq, "==", kComparison},
    {Kind::Ne, "!=", kComparison},
    {Kind::Lt, "<", kComparison},
    {Kind::Le, "<=", kComparison},
    {Kind::Add, "+", kSum},
    {Kind::Sub, "-", kSum},
    {Kind::Mul, "*", kProduct},
    {Kind::Div, "/", kProduct},
    {Kind::Mod, "%", kProduct},
}};

/// Returns the operator of a kind of expression; one without a symbol, of kPrimary, if it is written
/// otherwise.
template <typename Kind>
OperatorNotation<Kind> operator_of(Kind kind) {
  for (const OperatorNotation<Kind>& op : kBinaryOperators<Kind>) {
    if (op.kind == kind) return op;
  }
  return kind == Kind::Not ? OperatorNotation<Kind>{kind, "!", kUnary}
                           : OperatorNotation<Kind>{kind, "", kPrimary};
}

}  // namespace tensordsl::notation
