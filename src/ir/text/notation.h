// What the printer and the parser must agree on.
#pragma once

#include <array>
#include <string_view>

#include "ir/nodes/stmt.h"

namespace tensordsl::ir {

// How tightly an expression binds; an operand that binds less tightly than its place demands gets
// parentheses.
enum Precedence : int { kOr = 1, kAnd, kComparison, kSum, kProduct, kUnary, kPrimary };

/// Binary operators are left-associative, except that comparisons do not chain.
struct BinaryOperator {
  ExprKind kind;
  std::string_view symbol;
  Precedence precedence;
};

inline constexpr std::array<BinaryOperator, 11> kBinaryOperators{{
    {ExprKind::Or, "||", kOr},
    {ExprKind::And, "&&", kAnd},
    {ExprKind::Eq, "==", kComparison},
    {ExprKind::Ne, "!=", kComparison},
    {ExprKind::Lt, "<", kComparison},
    {ExprKind::Le, "<=", kComparison},
    {ExprKind::Add, "+", kSum},
    {ExprKind::Sub, "-", kSum},
    {ExprKind::Mul, "*", kProduct},
    {ExprKind::Div, "/", kProduct},
    {ExprKind::Mod, "%", kProduct},
}};

inline constexpr std::array kLoopKinds{
    LoopKind::Serial, LoopKind::Unrolled, LoopKind::Vectorized, LoopKind::Block0,  LoopKind::Block1,
    LoopKind::Block2, LoopKind::Thread0,  LoopKind::Thread1,    LoopKind::Thread2, LoopKind::Matrix};
inline constexpr std::array kMemories{Memory::Auto,     Memory::Global,  Memory::Local,
                                      Memory::SubGroup, Memory::Private, Memory::Register};

}  // namespace tensordsl::ir
