// A SizeExpr -> text
#include <fmt/format.h>

#include "base/text/operator_notation.h"
#include "tensordsl/error.h"
#include "tensordsl/size_expr.h"

namespace tensordsl {
namespace {

using Kind = SizeExpr::Kind;

class SizePrinter {
 public:
  std::string take() { return std::move(text_); }

  void add(const SizeExpr& size, int minimum = notation::kOr) {
    // Operands that are shared are written out each time, so the text can be far larger than the expression.
    constexpr std::size_t kMaxCharacters = std::size_t{1} << 26;
    if (text_.size() > kMaxCharacters) throw Error("the text of a size is over 64 MiB; simplify it");
    const auto op = notation::operator_of(size.kind());
    const bool has_parentheses = op.precedence < minimum;
    if (has_parentheses) text_ += '(';
    add_operation(size, op);
    if (has_parentheses) text_ += ')';
  }

 private:
  void add_operation(const SizeExpr& size, const notation::OperatorNotation<Kind>& op) {
    const auto operands = size.operands();
    switch (size.kind()) {
      case Kind::Integer:
        return add_constant(size.type(), *size.constant());
      case Kind::Name:
        text_ += size.name();
        return add_type_unless(size.type(), Int(32));
      case Kind::Not:
        text_ += op.symbol;
        return add(operands[0], notation::kUnary);
      case Kind::Cast:
        return add_call(to_string(size.type()), operands);
      case Kind::Min:
        return add_call("min", operands);
      case Kind::Max:
        return add_call("max", operands);
      case Kind::Select:
        return add_call("select", operands);
      case Kind::Call:
        return add_call(size.name(), operands);
      default:
        add(operands[0], op.precedence == notation::kComparison ? notation::kSum : op.precedence);
        text_ +=
            op.precedence == notation::kProduct ? std::string(op.symbol) : fmt::format(" {} ", op.symbol);
        return add(operands[1], op.precedence + 1);
    }
  }

  void add_constant(Type type, std::int64_t value) {
    if (type.is_bool()) {
      text_ += value != 0 ? "true" : "false";
      return;
    }
    text_ +=
        type == UInt(64) ? fmt::format("{}", static_cast<std::uint64_t>(value)) : fmt::format("{}", value);
    add_type_unless(type, Int(32));
  }

  void add_call(std::string_view function, std::span<const SizeExpr> operands) {
    text_ += function;
    text_ += '(';
    for (const SizeExpr& operand : operands) {
      if (&operand != operands.data()) text_ += ", ";
      add(operand);
    }
    text_ += ')';
  }

  void add_type_unless(Type type, Type told) {
    if (type != told) text_ += ":" + to_string(type);
  }

  std::string text_;
};

}  // namespace

std::string to_string(const SizeExpr& size) {
  SizePrinter printer;
  printer.add(size);
  return printer.take();
}

}  // namespace tensordsl
