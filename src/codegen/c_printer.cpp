#include "codegen/c_printer.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nodes/integer_operations.h"
#include "ir/simplify/simplify.h"
#include "tensordsl/error.h"

namespace tensordsl::codegen {

using namespace ir;

namespace {

/// The precedence from which on other operators stand without parentheses next to this one: higher than C
/// asks for where its precedence is not what readers expect, which compilers warn of.
Precedence clear_of(Precedence precedence) {
  switch (precedence) {
    case Precedence::Or:
      return Precedence::BitOr;
    case Precedence::BitOr:
    case Precedence::BitXor:
    case Precedence::BitAnd:
      return Precedence::Unary;
    default:
      return precedence;
  }
}

Precedence precedence_of(IntegerOperationKind kind) {
  switch (kind) {
    case IntegerOperationKind::ShiftLeft:
    case IntegerOperationKind::ShiftRight:
      return Precedence::Shift;
    case IntegerOperationKind::BitwiseAnd:
      return Precedence::BitAnd;
    case IntegerOperationKind::BitwiseOr:
      return Precedence::BitOr;
    case IntegerOperationKind::BitwiseXor:
      return Precedence::BitXor;
    default:
      return Precedence::Multiplicative;
  }
}

}  // namespace

void CPrinter::line(const std::string& content) {
  text_.append(static_cast<std::size_t>(depth_) * 2, ' ');
  text_ += content;
  text_ += '\n';
}

std::string CPrinter::expr(const Expr& e, Precedence context) {
  Printed printed = print_expr(e);
  constexpr std::size_t kMaxCharacters = std::size_t{1} << 22;
  if (printed.text.size() > kMaxCharacters) {
    throw ScheduleError(
        "an expression of a kernel has more than 4 MiB of text; move part of it into a Func with "
        "compute_root()");
  }
  return printed.precedence < context ? "(" + printed.text + ")" : std::move(printed.text);
}

CPrinter::Printed CPrinter::binary(const ExprNode& e, std::string_view symbol, Precedence precedence) {
  const auto tighter = static_cast<Precedence>(static_cast<int>(precedence) + 1);
  const auto operand = [&](const Expr& o, Precedence context) {
    return expr(o, o->kind == e.kind ? context : std::max(context, clear_of(precedence)));
  };
  return {fmt::format("{} {} {}", operand(e[0], precedence), symbol, operand(e[1], tighter)), precedence};
}

CPrinter::Printed CPrinter::print_expr(const Expr& e) {
  switch (e->kind) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
      return print_constant(*e);
    case ExprKind::Var:
      return {names_.variable(e->name), Precedence::Primary};
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
      return print_arithmetic(*e);
    case ExprKind::Div:
    case ExprKind::Mod:
      return print_division(*e);
    case ExprKind::Min:
    case ExprKind::Max:
      return print_minimum(*e);
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
      return print_logic(*e);
    case ExprKind::Select:
      return print_select(*e);
    case ExprKind::Cast:
      return print_cast(*e);
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
    case ExprKind::Slice:
    case ExprKind::Concat:
      return print_vector(*e);
    case ExprKind::Load:
      return print_load(*e);
    case ExprKind::Intrinsic:
      if (const IntegerOperation* operation = find_integer_operation(e->name))
        return print_integer_operation(*e, *operation);
      return print_intrinsic(*e);
    case ExprKind::MinOrNan:
    case ExprKind::MaxOrNan:
    case ExprKind::Call:
      break;
  }
  throw InternalError("CPrinter: unexpected Call or NaN-propagating min/max in lowered IR");
}

CPrinter::Printed CPrinter::print_arithmetic(const ExprNode& e) {
  // C multiplies two ushorts as ints, whose product may overflow.
  if (e.kind == ExprKind::Mul && e.type == UInt(16)) {
    return {fmt::format("({})(({}){} * {})", type_name(e.type), type_name(UInt(32)),
                        expr(e[0], Precedence::Unary), expr(e[1], Precedence::Unary)),
            Precedence::Unary};
  }
  Printed result = e.kind == ExprKind::Mul   ? binary(e, "*", Precedence::Multiplicative)
                   : e.kind == ExprKind::Add ? binary(e, "+", Precedence::Additive)
                                             : binary(e, "-", Precedence::Additive);
  return narrowed(std::move(result), e.type);
}

/// C computes narrow integers as int; the language wraps them.
CPrinter::Printed CPrinter::narrowed(Printed result, Type type) const {
  if (!type.is_integer() || type.bits >= 32 || type.lanes > 1) return result;
  return {fmt::format("({})({})", type_name(type), result.text), Precedence::Unary};
}

CPrinter::Printed CPrinter::print_integer_operation(const ExprNode& e, const IntegerOperation& operation) {
  const Precedence precedence = precedence_of(operation.kind);
  // A scalar on the right is that for every lane; of narrow vectors it would have to be as narrow.
  const bool is_splat = e[1]->kind == ExprKind::Broadcast && e.type.bits >= 32;
  ExprNode written = e;
  if (is_splat) written.operands[1] = (*e[1])[0];
  // Shifts and masks get parentheses around all that is not one word.
  const bool is_bitwise = precedence != Precedence::Multiplicative;
  const std::string left = expr(written[0], is_bitwise ? Precedence::Unary : precedence);
  std::string right = expr(written[1], Precedence::Unary);
  // C shifts narrow integers as int, by up to 31 bits.
  const bool is_narrow = e.type.bits < 32 && !e.type.is_vector();
  if (precedence == Precedence::Shift && is_narrow && !is_const(written[1]))
    right = fmt::format("({} & {})", right, e.type.bits - 1);
  return narrowed({fmt::format("{} {} {}", left, operation.symbol, right), precedence}, e.type);
}

void CPrinter::print(const Stmt& stmt) {
  switch (stmt->kind) {
    case StmtKind::Block:
      for (const Stmt& s : stmt->body) print(s);
      return;
    case StmtKind::For:
      return print_loop(*stmt);
    case StmtKind::Let:
      return print_let(*stmt);
    case StmtKind::Allocate:
      return print_allocate(*stmt);
    case StmtKind::Store:
      return line(print_store(*stmt));
    case StmtKind::Barrier:
      return line(print_barrier(*stmt));
    case StmtKind::If:
      line(fmt::format("if ({}) {{", expr(stmt->condition())));
      print_scope(stmt->body[0]);
      if (stmt->body.size() > 1) {
        line("} else {");
        print_scope(stmt->body[1]);
      }
      return line("}");
  }
}

void CPrinter::print_scope(const Stmt& body) {
  ++depth_;
  scopes_.emplace_back();
  print(body);
  scopes_.pop_back();
  --depth_;
}

void CPrinter::print_loop(const StmtNode& loop) {
  const std::string& name = names_.variable(loop.name);
  const std::string first = expr(loop.min());
  const Expr end = simplify(loop.min() + loop.extent());
  line(fmt::format("for (int {0} = {1}; {0} < {2}{3}; ++{0}) {{", name, first, expr(end, Precedence::Shift),
                   loop.loop == LoopKind::Kept ? kept_end() : ""));
  ++depth_;
  for (const std::string& statement : first_lines(loop)) line(statement);
  --depth_;
  print_scope(loop.body[0]);
  line("}");
}

bool CPrinter::declare_name(const std::string& name) {
  if (scopes_.back().insert(name).second) return false;
  line("{");
  ++depth_;
  scopes_.push_back({name});
  return true;
}

std::string CPrinter::declare_value(const StmtNode& let) {
  const Expr& value = let.value();
  return fmt::format("const {} {} = {};", type_name(value.type()), names_.variable(let.name), expr(value));
}

void CPrinter::print_let(const StmtNode& let) {
  const bool opened = declare_name(let.name);
  line(declare_value(let));
  print(let.body[0]);
  if (!opened) return;
  scopes_.pop_back();
  --depth_;
  line("}");
}

void CPrinter::print_allocate(const StmtNode& allocation) {
  const std::string declaration = declare(allocation);
  if (declaration.empty()) return print(allocation.body[0]);
  const bool opened = declare_name(allocation.name);
  line(declaration);
  print(allocation.body[0]);
  if (!opened) return;
  scopes_.pop_back();
  --depth_;
  line("}");
}

}  // namespace tensordsl::codegen
