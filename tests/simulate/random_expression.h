// Expressions drawn at random, over every element type, and how one that fails becomes smaller.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>

#include "ir/nodes/expr_node.h"

namespace tensordsl::simulator {

inline constexpr Type kTypes[] = {Bool(),   Int(8),  UInt(8),  Int(16),   UInt(16),  Int(32),
                                  UInt(32), Int(64), UInt(64), Float(16), Float(32), Float(64)};

/// Elements of each input, and values of the variable "i": 0 to kPoints - 1.
inline constexpr int kPoints = 16;

/// The input that holds elements of `type`: "in_f16".
std::string input_name(Type type);

struct Drawing {
  /// True if no sum, difference, product or quotient of i32 overflows, which the simplifier relies on.
  bool is_tame = false;
  /// Reads after `&&` that only a scalar leaves out.
  bool has_lazy_logic = false;
  /// True for operators on f16; otherwise f16 is only cast from and to, as in definitions.
  bool has_half_arithmetic = true;
  int depth = 5;
};

/// Draws an expression of some type over the variable "i" and the inputs. Reads outside an input are in
/// branches not taken.
Expr draw_expression(std::uint64_t seed, const Drawing& drawing);

/// True if the operands of every such operator on i32 are constants, or clamped so that it cannot overflow.
bool is_tame(const Expr& expr);

/// A smaller expression that `fails` as well: a part replaces the whole, an operand its operator, and a zero
/// an operand, as long as the expression still fails.
Expr shrunk(Expr failing, const std::function<bool(const Expr&)>& fails);

}  // namespace tensordsl::simulator
