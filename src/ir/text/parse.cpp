#include "ir/text/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/lexer.h"
#include "base/number_from_chars.h"
#include "ir/nodes/dot_product.h"
#include "ir/nodes/integer_operations.h"
#include "ir/nodes/reinterpret.h"
#include "ir/nodes/sub_groups.h"
#include "ir/operations/intrinsics.h"
#include "ir/text/notation.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

namespace tensordsl::ir {
namespace {

// Trees are walked recursively everywhere, so a text may not describe one that overflows the stack.
constexpr int kMaxDepth = 1000;
constexpr int kMaxLanes = 4096;

class Parser {
 public:
  explicit Parser(std::string_view text, ParseCall call = nullptr)
      : lexer_(text), token_(lexer_.next()), call_(std::move(call)) {}

  Expr whole_expression() {
    Expr result = expression();
    if (token_.kind != Token::Kind::End) fail("the end of the text");
    return result;
  }

  Stmt whole_statement() {
    Stmt result = statements();
    if (token_.kind != Token::Kind::End) fail("a statement");
    return result;
  }

 private:
  // Errors.

  [[noreturn]] void invalid(const Token& at, std::string_view message) const {
    const std::string_view before = lexer_.text().substr(0, at.offset);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    throw ParseError(fmt::format("line {}, column {}: {}", line, column, message));
  }

  [[noreturn]] void fail(const Token& found, std::string_view expected) const {
    const char first = found.text.empty() ? ' ' : found.text[0];
    const bool printable = first >= ' ' && first <= '~';
    invalid(found, fmt::format("found {}, expected {}",
                               found.kind == Token::Kind::End ? std::string("the end of the text")
                               : printable                    ? fmt::format("'{}'", found.text.substr(0, 60))
                                           : fmt::format("byte 0x{:02x}", static_cast<unsigned char>(first)),
                               expected));
  }
  [[noreturn]] void fail(std::string_view expected) const { fail(token_, expected); }

  /// Calls a builder, which checks the types; the text is to blame for what it finds.
  template <typename Build>
  auto checked(const Token& at, Build build) const {
    try {
      return build();
    } catch (const InternalError& error) {
      invalid(at, error.what());
    }
  }

  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) { parser_.limit(++parser_.depth_); }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  void limit(int depth) const {
    if (depth > kMaxDepth) invalid(token_, fmt::format("more than {} levels deep", kMaxDepth));
  }

  // Tokens.

  Token take() { return std::exchange(token_, lexer_.next()); }
  bool at(std::string_view text) const { return token_.text == text; }

  bool skip(std::string_view text) {
    if (!at(text)) return false;
    take();
    return true;
  }

  void expect(std::string_view text) {
    if (!skip(text)) fail(fmt::format("'{}'", text));
  }

  std::string name(std::string_view what) {
    if (token_.kind != Token::Kind::Name) fail(what);
    return std::string(take().text);
  }

  Type type() {
    const std::optional<Type> known = parse_type(token_.text);
    if (!known) fail("a type");
    take();
    return *known;
  }

  Type type_or(Type told) { return skip(":") ? type() : told; }

  // Expressions. height_ is the depth of the tree that the last of these functions returned.

  Expr expression(int minimum = kOr) {
    const Nesting nesting(*this);
    Expr left = unary();
    int height = height_;
    for (;;) {
      const auto op = std::find_if(kBinaryOperators.begin(), kBinaryOperators.end(),
                                   [&](const BinaryOperator& o) { return at(o.symbol); });
      if (op == kBinaryOperators.end() || op->precedence < minimum) break;
      const Token symbol = take();
      const Expr right = expression(op->precedence + 1);
      height = std::max(height, height_) + 1;
      limit(height);
      left = checked(symbol, [&] { return make_binary(op->kind, left, right); });
    }
    height_ = height;
    return left;
  }

  Expr unary() {
    const Nesting nesting(*this);
    const Token first = token_;
    if (skip("!")) {
      const Expr operand = unary();
      limit(++height_);
      return checked(first, [&] { return make_unary(ExprKind::Not, operand); });
    }
    if (skip("-")) {
      if (token_.kind != Token::Kind::Number && !at("inf") && !at("nan")) fail("a number");
      return number(true);
    }
    if (skip("(")) {
      Expr inner = expression();
      expect(")");
      return inner;
    }
    if (token_.kind == Token::Kind::Number || at("inf") || at("nan")) return number(false);
    if (token_.kind != Token::Kind::Name) fail("an expression");
    return named(take());
  }

  Expr named(const Token& first) {
    height_ = 1;
    if (first.text == "true" || first.text == "false") return make_bool(first.text == "true");
    const std::string text(first.text);
    if (skip("(")) return function(first, list(")"));
    if (skip("[")) {
      std::int64_t alignment = 1;
      std::vector<Expr> indices = this->indices(alignment);
      const int component = this->component();
      const Type loaded = type_or(Int(32));
      limit(++height_);
      return checked(first,
                     [&] { return make_load(loaded, text, std::move(indices), alignment, component); });
    }
    return make_var(text, type_or(Int(32)));
  }

  Expr number(bool negative) {
    height_ = 1;
    const Token digits = take();
    const std::string text = fmt::format("{}{}", negative ? "-" : "", digits.text);
    const char* end = text.data() + text.size();
    const bool is_float = digits.kind == Token::Kind::Name || text.find_first_of(".eE") != std::string::npos;
    const Token type_token = token_;
    const Type constant = type_or(is_float ? Float(32) : Int(32));
    if (constant.is_vector() || constant.is_bool() || constant.is_float() != is_float) {
      invalid(type_token, fmt::format("{} is no constant of type {}", text, to_string(constant)));
    }
    float single = 0;
    double real = 0;
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    const auto read = [&](auto& value) { return number_from_chars(text.data(), end, value); };
    const auto [stop, error] = !is_float               ? constant == UInt(64) ? read(natural) : read(integer)
                                             : constant == Float(64) ? read(real)
                                                       : read(single);
    if (error == std::errc::invalid_argument || stop != end)
      invalid(digits, fmt::format("malformed number {}", text));
    if (constant == UInt(64)) integer = static_cast<std::int64_t>(natural);
    if (constant != Float(64)) real = single;
    Expr result = is_float ? make_float(constant, real) : make_int(constant, integer);
    if (error != std::errc{} || (!is_float && result->value != integer)) {
      invalid(digits, fmt::format("{} does not fit {}", text, to_string(constant)));
    }
    return result;
  }

  std::vector<Expr> list(std::string_view closing) {
    std::vector<Expr> items = items_of_list();
    expect(closing);
    return items;
  }

  std::vector<Expr> items_of_list() {
    std::vector<Expr> items;
    int height = 0;
    do {
      items.push_back(expression());
      height = std::max(height, height_);
    } while (skip(","));
    height_ = height;
    return items;
  }

  /// "x, y]", or "x align 4]"
  std::vector<Expr> indices(std::int64_t& alignment) {
    if (skip("]")) return {};
    std::vector<Expr> items = items_of_list();
    if (skip("align")) {
      const Token number = take();
      const auto [stop, error] =
          std::from_chars(number.text.data(), number.text.data() + number.text.size(), alignment);
      if (error != std::errc{} || stop != number.text.data() + number.text.size() || alignment < 1) {
        invalid(number, fmt::format("\"{}\" is no alignment", number.text));
      }
    }
    expect("]");
    return items;
  }

  /// ".1" behind an access of a tuple's component
  int component() {
    if (!skip(".")) return kWhole;
    const Token number = take();
    int which = kWhole;
    const auto [stop, error] =
        std::from_chars(number.text.data(), number.text.data() + number.text.size(), which);
    if (error != std::errc{} || stop != number.text.data() + number.text.size() || which < 0)
      invalid(number, fmt::format("\"{}\" is no component of a tuple", number.text));
    return which;
  }

  Expr function(const Token& called, std::vector<Expr> a) {
    limit(++height_);
    const std::string_view f = called.text;
    const auto operands = [&](std::size_t count) {
      if (a.size() != count)
        invalid(called, fmt::format("{} takes {} operands, found {}", f, count, a.size()));
    };
    const auto lane_count = [&](std::size_t operand, int low) {
      const std::int64_t* value = a[operand]->kind == ExprKind::IntImm ? &a[operand]->value : nullptr;
      if (!value || *value < low || *value > kMaxLanes) {
        invalid(called, fmt::format("operand {} of {} must be a constant from {} to {}", operand + 1, f, low,
                                    kMaxLanes));
      }
      return static_cast<int>(*value);
    };
    if (call_) {
      const Expr call = call_(std::string(f), a);
      if (call.defined()) {
        if (type_or(Int(32)) != call.type())
          invalid(called, fmt::format("{} is {}", f, to_string(call.type())));
        return call;
      }
    }
    return checked(called, [&]() -> Expr {
      if (f == "min" || f == "max") {
        operands(2);
        return make_binary(f == "min" ? ExprKind::Min : ExprKind::Max, a[0], a[1]);
      }
      if (f == "min_or_nan" || f == "max_or_nan") {
        operands(2);
        return make_binary(f == "min_or_nan" ? ExprKind::MinOrNan : ExprKind::MaxOrNan, a[0], a[1]);
      }
      if (f == "select") {
        operands(3);
        return make_select(a[0], a[1], a[2]);
      }
      if (f == "ramp") {
        operands(3);
        return make_ramp(a[0], a[1], lane_count(2, 2));
      }
      if (f == "broadcast") {
        operands(2);
        return make_broadcast(a[0], lane_count(1, 2));
      }
      if (f == "slice") {
        operands(3);
        return make_slice(a[0], lane_count(1, 0), lane_count(2, 1));
      }
      if (f == "concat") {
        std::int64_t lanes = 0;
        for (const Expr& part : a) lanes += part.type().lanes;
        if (lanes > kMaxLanes)
          invalid(called, fmt::format("concat makes {} lanes; at most {} are allowed", lanes, kMaxLanes));
        return make_concat(std::move(a));
      }
      if (const std::optional<Type> target = parse_type(f); target && !target->is_vector()) {
        operands(1);
        return make_cast(target->with_lanes(a[0].type().lanes), a[0]);
      }
      if (const SubGroupOperation* operation = find_sub_group_operation(f)) {
        operands(static_cast<std::size_t>(operation->operands));
        const bool is_product = operation->kind == SubGroupOperationKind::Multiply;
        const Type result = is_product ? a.back().type() : a[0].type();
        return make_intrinsic(result, std::string(f), std::move(a));
      }
      if (f == kDotProduct) {
        operands(3);
        return make_intrinsic(Int(32), std::string(f), std::move(a));
      }
      if (f == kReinterpret) {
        operands(1);
        const Type result = type_or(a[0].type());
        return make_intrinsic(result, std::string(f), std::move(a));
      }
      if (find_integer_operation(f) != nullptr) {
        operands(2);
        const Type result = a[0].type();
        return make_intrinsic(result, std::string(f), std::move(a));
      }
      if (const IntrinsicEntry* intrinsic = find_intrinsic(f)) {
        operands(static_cast<std::size_t>(intrinsic->operands));
        const Type result = type_or(a[0].type());
        return make_intrinsic(result, std::string(f), std::move(a));
      }
      fail(called, "a type or an intrinsic before '(' (calls of Funcs cannot be read back)");
    });
  }

  // Statements.

  /// Up to the closing brace or the end.
  Stmt statements() {
    std::vector<Stmt> all;
    while (all.empty() || (!at("}") && token_.kind != Token::Kind::End)) all.push_back(statement());
    return make_block(std::move(all));
  }

  Stmt braces() {
    expect("{");
    Stmt inner = statements();
    expect("}");
    return inner;
  }

  Stmt statement() {
    const Nesting nesting(*this);
    if (at("{")) return braces();
    if (skip("for")) return for_loop();
    if (skip("alloc")) return allocation();
    if (skip("barrier")) return make_barrier(memory());
    if (skip("if")) {
      expect("(");
      const Expr condition = expression();
      expect(")");
      const Stmt then = braces();
      return make_if(condition, then, skip("else") ? braces() : Stmt());
    }
    if (skip("let")) {
      const std::string bound = name("a name");
      expect("=");
      const Expr value = expression();
      return make_let(bound, value, statements());
    }
    if (skip("store")) {
      const Token first = token_;
      const std::string buffer = name("a buffer");
      expect("[");
      std::int64_t alignment = 1;
      std::vector<Expr> indices = this->indices(alignment);
      const int component = this->component();
      expect("=");
      const Expr value = expression();
      return checked(first,
                     [&] { return make_store(buffer, value, std::move(indices), alignment, component); });
    }
    fail("a statement");
  }

  Stmt for_loop() {
    const std::string variable = name("a name");
    expect("in");
    expect("[");
    const Expr min = expression();
    expect(",");
    const Token end_token = token_;
    Expr extent = expression();
    if (!is_const(min, 0)) {
      if (extent->kind != ExprKind::Add || !same((*extent)[0], min)) {
        invalid(end_token, fmt::format("the end of a loop from {0} must read {0} + extent", print(min)));
      }
      extent = Expr((*extent)[1]);
    }
    expect(")");
    LoopKind loop = LoopKind::Serial;
    if (!at("{")) loop = one_of(kLoopKinds, "a kind of loop or '{'");
    return make_for(variable, min, extent, loop, braces());
  }

  Stmt allocation() {
    const std::string buffer = name("a name");
    expect(":");
    const Type element = type();
    expect("[");
    std::vector<Expr> extents = list("]");
    const Memory kind = memory();
    return make_allocate(buffer, element, std::move(extents), kind, braces());
  }

  Memory memory() { return one_of(kMemories, "a kind of memory"); }

  template <typename Values>
  typename Values::value_type one_of(const Values& values, std::string_view what) {
    for (const auto value : values) {
      if (skip(name_of(value))) return value;
    }
    fail(what);
  }

  Lexer lexer_;
  Token token_;
  ParseCall call_;
  int depth_ = 0;
  int height_ = 0;
};

}  // namespace

Expr parse_expr(std::string_view text) { return Parser(text).whole_expression(); }
Expr parse_expr(std::string_view text, const ParseCall& call) {
  return Parser(text, call).whole_expression();
}
Stmt parse_stmt(std::string_view text) { return Parser(text).whole_statement(); }

}  // namespace tensordsl::ir
