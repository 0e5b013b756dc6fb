// OpenCLPrinter: minima and maxima.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "backends/opencl/emit/opencl_printer.h"

namespace tensordsl::opencl {

using namespace ir;
using codegen::CPrinter;
using codegen::Precedence;

namespace {

/// Adds a, b and c of max(max(a, b), c).
void add_operands(const Expr& e, ExprKind kind, std::vector<Expr>& operands) {
  if (e->kind != kind) return operands.push_back(e);
  for (const Expr& operand : e->operands) add_operands(operand, kind, operands);
}

/// A maximum of |of| and other operands.
struct Magnitude {
  Expr of;
  std::vector<Expr> others;
};

/// Returns |x| and y of max(max(0 - x, y), x), of integers with a sign; nothing for another extremum. If x is
/// a maximum, its operands may be separate operands.
std::optional<Magnitude> magnitude_in(const ExprNode& e) {
  if (e.kind != ExprKind::Max || !e.type.is_int()) return std::nullopt;
  std::vector<Expr> operands;
  for (const Expr& operand : e.operands) add_operands(operand, ExprKind::Max, operands);
  for (const Expr& negated : operands) {
    if (negated->kind != ExprKind::Sub || !is_const((*negated)[0], 0)) continue;
    std::vector<Expr> parts, others = operands;
    add_operands((*negated)[1], ExprKind::Max, parts);
    std::erase_if(others, [&](const Expr& other) { return same(other, negated); });
    const bool has_all = std::ranges::all_of(parts, [&](const Expr& part) {
      return std::erase_if(others, [&](const Expr& other) { return same(other, part); }) > 0;
    });
    if (has_all) return Magnitude{(*negated)[1], others};
  }
  return std::nullopt;
}

}  // namespace

CPrinter::Printed OpenCLPrinter::print_minimum(const ExprNode& e) {
  const std::string type = type_name(e.type);
  const auto call = [&](const std::string& a, const std::string& b) {
    // min and max are undefined for a NaN or an infinity; fmin and fmax are defined.
    return fmt::format("{}{}({}, {})", e.type.is_float() ? "f" : "", e.kind == ExprKind::Min ? "min" : "max",
                       a, b);
  };
  // NVIDIA's compiler gets max(max(x, 0 - x), y) wrong (docs/HACKING.md). The result of abs has no sign.
  if (const std::optional<Magnitude> magnitude = magnitude_in(e)) {
    std::string text = fmt::format("as_{}(abs({}))", type, expr(magnitude->of, Precedence::Conditional));
    for (const Expr& other : magnitude->others) text = call(text, expr(other, Precedence::Conditional));
    return {text, Precedence::Primary};
  }
  const bool is_narrow = e.type.is_integer() && e.type.bits < 32 && e.type.lanes == 1;
  if (!is_narrow)
    return {call(expr(e[0], Precedence::Conditional), expr(e[1], Precedence::Conditional)),
            Precedence::Primary};
  // NVIDIA's compiler also gets extrema of 16 bits wrong, if an operand is the low half of a sum.
  const auto widened = [&](const Expr& operand) { return "(int)" + expr(operand, Precedence::Unary); };
  return {fmt::format("({}){}", type, call(widened(e[0]), widened(e[1]))), Precedence::Unary};
}

}  // namespace tensordsl::opencl
