#include "ir/text/print.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "base/text/operator_notation.h"
#include "ir/nodes/dot_product.h"
#include "tensordsl/error.h"

namespace tensordsl::ir {
namespace {

// The shortest digits that read back as the same value, always with a point or an exponent.
std::string float_digits(double number, Type type) {
  const auto single = static_cast<float>(number);
  std::string text = std::isnan(number) ? (std::signbit(number) ? "-nan" : "nan")
                     : type.bits < 64   ? fmt::format("{}", single)
                                        : fmt::format("{}", number);
  if (text.find_first_of(".enf") == std::string::npos) text += ".0";
  return text;
}

class Printer {
 public:
  /// `longest`: characters from which on the rest is left out.
  explicit Printer(std::size_t longest = SIZE_MAX) : longest_(longest) {}

  std::string take() {
    if (text_.size() > longest_) text_ += " ...";
    return std::move(text_);
  }

  void expression(const Expr& expr, int minimum = notation::kOr) {
    // Shared sub-expressions are written out each time, so the text can be far larger than the expression.
    if (text_.size() > longest_) return;
    if (text_.size() > kMaxCharacters) {
      throw Error(
          "print: the text of an expression has more than 64 MiB; move part of it into a Func with "
          "compute_root()");
    }
    if (!expr.defined()) {
      text_ += "undefined";
      return;
    }
    const auto op = notation::operator_of(expr->kind);
    if (op.precedence < minimum) {
      text_ += '(';
      node(*expr, op);
      text_ += ')';
    } else {
      node(*expr, op);
    }
  }

  void statement(const Stmt& stmt, int indent) {
    if (!stmt.defined()) return;
    switch (stmt->kind) {
      case StmtKind::Block:
        for (const Stmt& s : stmt->body) {
          // A let's scope ends with its block, so one that statements follow needs a block of its own.
          const bool scoped = s.defined() && s->kind == StmtKind::Let && &s != &stmt->body.back();
          if (scoped) {
            line(indent, "{{\n");
            statement(s, indent + 1);
            line(indent, "}}\n");
          } else {
            statement(s, indent);
          }
        }
        return;
      case StmtKind::For:
        line(indent, "for {} in [", stmt->name);
        range(stmt->min(), stmt->extent());
        text_ += ") ";
        if (stmt->loop != LoopKind::Serial) append("{} ", name_of(stmt->loop));
        return body(stmt->body[0], indent, "\n");
      case StmtKind::If:
        line(indent, "if (");
        expression(stmt->condition());
        text_ += ") ";
        if (stmt->body.size() == 1 || !stmt->body[1].defined()) return body(stmt->body[0], indent, "\n");
        body(stmt->body[0], indent, " else ");
        return body(stmt->body[1], indent, "\n");
      case StmtKind::Let:
        line(indent, "let {} = ", stmt->name);
        expression(stmt->value());
        text_ += '\n';
        return statement(stmt->body[0], indent);
      case StmtKind::Store:
        line(indent, "store {}[", stmt->name);
        list(stmt->indices());
        if (stmt->alignment > 1) append(" align {}", stmt->alignment);
        text_ += ']';
        component(stmt->component);
        text_ += " = ";
        expression(stmt->value());
        text_ += '\n';
        return;
      case StmtKind::Allocate:
        line(indent, "alloc {}: {} [", stmt->name, to_string(stmt->type));
        list(stmt->extents());
        append("] {} ", name_of(stmt->memory));
        return body(stmt->body[0], indent, "\n");
      case StmtKind::Barrier:
        return line(indent, "barrier {}\n", name_of(stmt->memory));
    }
  }

 private:
  template <typename... Args>
  void append(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  template <typename... Args>
  void line(int indent, fmt::format_string<Args...> format, Args&&... args) {
    text_.append(static_cast<std::size_t>(indent) * 2, ' ');
    append(format, std::forward<Args>(args)...);
  }

  void body(const Stmt& stmt, int indent, std::string_view behind) {
    text_ += "{\n";
    statement(stmt, indent + 1);
    line(indent, "}}{}", behind);
  }

  // The interval [min, min + extent) without its closing bracket; from 0 the end is the extent itself.
  void range(const Expr& min, const Expr& extent) {
    expression(min);
    text_ += ", ";
    if (is_const(min, 0)) return expression(extent);
    expression(min, notation::kSum);
    text_ += " + ";
    expression(extent, notation::kProduct);
  }

  void list(const std::vector<Expr>& exprs) {
    for (const Expr& e : exprs) {
      if (&e != exprs.data()) text_ += ", ";
      expression(e);
    }
  }

  void function(std::string_view name, const std::vector<Expr>& operands) {
    append("{}(", name);
    list(operands);
    text_ += ')';
  }

  void component(int which) {
    if (which != kWhole) append(".{}", which);
  }

  void type_unless(Type type, Type told) {
    if (type != told) append(":{}", to_string(type));
  }

  void node(const ExprNode& e, const notation::OperatorNotation<ExprKind>& op) {
    switch (e.kind) {
      case ExprKind::IntImm:
        if (e.type.is_bool()) {
          text_ += e.value != 0 ? "true" : "false";
        } else {
          text_ += e.type == UInt(64) ? fmt::format("{}", static_cast<std::uint64_t>(e.value))
                                      : fmt::format("{}", e.value);
          type_unless(e.type, Int(32));
        }
        return;
      case ExprKind::FloatImm:
        text_ += float_digits(e.number, e.type);
        return type_unless(e.type, Float(32));
      case ExprKind::Var:
        text_ += e.name;
        return type_unless(e.type, Int(32));
      case ExprKind::Not:
        text_ += op.symbol;
        return expression(e[0], notation::kUnary);
      case ExprKind::Min:
        return function("min", e.operands);
      case ExprKind::Max:
        return function("max", e.operands);
      case ExprKind::MinOrNan:
        return function("min_or_nan", e.operands);
      case ExprKind::MaxOrNan:
        return function("max_or_nan", e.operands);
      case ExprKind::Select:
        return function("select", e.operands);
      case ExprKind::Cast:
        return function(to_string(e.type.element()), e.operands);
      case ExprKind::Ramp:
        text_ += "ramp(";
        list(e.operands);
        return append(", {})", e.type.lanes);
      case ExprKind::Broadcast:
        text_ += "broadcast(";
        expression(e[0]);
        return append(", {})", e.type.lanes);
      case ExprKind::Slice:
        text_ += "slice(";
        expression(e[0]);
        return append(", {}, {})", e.value, e.type.lanes);
      case ExprKind::Concat:
        return function("concat", e.operands);
      case ExprKind::Load:
        append("{}[", e.name);
        list(e.operands);
        if (e.value > 1) append(" align {}", e.value);
        if (e.value == kInside) text_ += " inside";
        text_ += ']';
        component(e.component);
        return type_unless(e.type, Int(32));
      case ExprKind::Intrinsic:
        function(e.name, e.operands);
        return type_unless(e.type, e.operands.empty() || is_dot_product(e) ? Int(32) : e[0].type());
      case ExprKind::Call:
        function(e.name, e.operands);
        component(e.component);
        return type_unless(e.type, Int(32));
      default:
        expression(e[0], op.precedence == notation::kComparison ? notation::kSum : op.precedence);
        op.precedence == notation::kProduct ? append("{}", op.symbol) : append(" {} ", op.symbol);
        return expression(e[1], op.precedence + 1);
    }
  }

  static constexpr std::size_t kMaxCharacters = std::size_t{1} << 26;

  std::string text_;
  std::size_t longest_;
};

}  // namespace

std::string print(const Expr& expr) {
  Printer printer;
  printer.expression(expr);
  return printer.take();
}

std::string print(const Stmt& stmt, int indent) {
  Printer printer;
  printer.statement(stmt, indent);
  return printer.take();
}

std::string_view name_of(LoopKind kind) {
  switch (kind) {
    case LoopKind::Serial:
      return "serial";
    case LoopKind::Unrolled:
      return "unrolled";
    case LoopKind::Vectorized:
      return "vectorized";
    case LoopKind::Block0:
      return "block0";
    case LoopKind::Block1:
      return "block1";
    case LoopKind::Block2:
      return "block2";
    case LoopKind::Thread0:
      return "thread0";
    case LoopKind::Thread1:
      return "thread1";
    case LoopKind::Thread2:
      return "thread2";
    case LoopKind::Kept:
      return "kept";
    case LoopKind::Matrix:
      return "matrix";
  }
  return "?";
}

std::string_view name_of(Memory memory) {
  switch (memory) {
    case Memory::Auto:
      return "auto";
    case Memory::Global:
      return "global";
    case Memory::Local:
      return "local";
    case Memory::SubGroup:
      return "sub_group";
    case Memory::Private:
      return "private";
    case Memory::Register:
      return "register";
  }
  return "?";
}

}  // namespace tensordsl::ir

namespace tensordsl {

std::string to_string(const Expr& expr) {
  constexpr std::size_t kLongest = 10000;
  ir::Printer printer(kLongest);
  printer.expression(expr);
  return printer.take();
}

}  // namespace tensordsl
