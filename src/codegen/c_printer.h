// Prints IR as C-like text: statements, scopes, operators and their precedence. The derived class prints the
// parts that differ between dialects (types, memory, vectors, functions).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "codegen/c_names.h"
#include "ir/nodes/integer_operations.h"
#include "ir/nodes/stmt.h"

namespace tensordsl::codegen {

/// C's precedence levels, loosest first.
enum class Precedence {
  Comma,
  Conditional,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Unary,
  Primary
};

class CPrinter {
 public:
  explicit CPrinter(CNames& names) : names_(names) {}
  virtual ~CPrinter() = default;
  CPrinter(const CPrinter&) = delete;
  CPrinter& operator=(const CPrinter&) = delete;

  /// Prints a statement at the given depth into text().
  void print(const ir::Stmt& stmt);
  /// Prints an expression, in parentheses if it binds looser than `context`.
  std::string expr(const Expr& e, Precedence context = Precedence::Comma);
  const std::string& text() const { return text_; }

 protected:
  struct Printed {
    std::string text;
    Precedence precedence = Precedence::Primary;
  };

  virtual std::string type_name(Type type) const = 0;
  virtual Printed print_arithmetic(const ir::ExprNode& e);
  virtual Printed print_load(const ir::ExprNode& load) = 0;
  virtual std::string print_store(const ir::StmtNode& store) = 0;
  /// Prints the declaration of a Let's name, with its value.
  virtual std::string declare_value(const ir::StmtNode& let);
  /// Prints the declaration of an allocation inside a kernel; empty if it is declared elsewhere.
  virtual std::string declare(const ir::StmtNode& allocation) = 0;
  /// Returns what is added to the end of a loop that the compiler must not unroll; nothing by default.
  virtual std::string kept_end() const { return ""; }
  /// Returns lines that precede the body of a loop in each iteration; none by default.
  virtual std::vector<std::string> first_lines(const ir::StmtNode&) { return {}; }
  virtual std::string print_barrier(const ir::StmtNode& barrier) = 0;
  virtual Printed print_intrinsic(const ir::ExprNode& call) = 0;
  virtual Printed print_cast(const ir::ExprNode& cast) = 0;
  virtual Printed print_division(const ir::ExprNode& division) = 0;
  virtual Printed print_vector(const ir::ExprNode& e) = 0;  // Ramp, Broadcast, Slice, Concat
  virtual Printed print_select(const ir::ExprNode& e) = 0;
  virtual Printed print_logic(const ir::ExprNode& e) = 0;  // comparisons, And, Or, Not
  virtual Printed print_constant(const ir::ExprNode& e) = 0;
  virtual Printed print_minimum(const ir::ExprNode& e) = 0;  // Min, Max

  Printed binary(const ir::ExprNode& e, std::string_view symbol, Precedence precedence);
  void line(const std::string& content);
  CNames& names_;

 private:
  Printed print_expr(const Expr& e);
  Printed print_integer_operation(const ir::ExprNode& e, const ir::IntegerOperation& operation);
  Printed narrowed(Printed result, Type type) const;
  void print_loop(const ir::StmtNode& loop);
  void print_let(const ir::StmtNode& let);
  void print_allocate(const ir::StmtNode& allocation);
  void print_scope(const ir::Stmt& body);
  /// Opens a C scope if `name` is declared in the current one already; returns whether it did.
  bool declare_name(const std::string& name);

  std::string text_;
  int depth_ = 1;
  std::vector<std::set<std::string>> scopes_{{}};
};

}  // namespace tensordsl::codegen
