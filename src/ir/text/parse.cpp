#include "ir/text/parse.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "base/text/expression_parser.h"
#include "ir/nodes/dot_product.h"
#include "ir/nodes/integer_operations.h"
#include "ir/nodes/reinterpret.h"
#include "ir/nodes/sub_groups.h"
#include "ir/operations/intrinsics.h"
#include "ir/text/notation.h"
#include "ir/text/print.h"

namespace tensordsl::ir {
namespace {

constexpr int kMaxLanes = 4096;

struct ExprBuilder {
  using Node = Expr;
  using Kind = ExprKind;
  using Refusal = InternalError;
  static Expr operation(Kind kind, std::vector<Expr> operands) {
    if (kind == ExprKind::Not) return make_unary(kind, operands[0]);
    if (kind == ExprKind::Select) return make_select(operands[0], operands[1], operands[2]);
    return make_binary(kind, operands[0], operands[1]);
  }
};

class Parser final : public ExpressionParser<ExprBuilder> {
 public:
  explicit Parser(std::string_view text, ParseCall call = nullptr)
      : ExpressionParser(text), call_(std::move(call)) {}

  Stmt whole_statement() {
    Stmt result = statements();
    if (!at(Token::Kind::End)) fail("a statement");
    return result;
  }

 private:
  Type type_or(Type told) { return skip(":") ? type() : told; }

  // Expressions.

  bool is_at_number() const override { return at(Token::Kind::Number) || at("inf") || at("nan"); }

  Expr named(const Token& first) override {
    set_leaf();
    if (first.text == "true" || first.text == "false") return make_bool(first.text == "true");
    const std::string text(first.text);
    if (skip("(")) return function(first, operands_until(")"));
    if (skip("[")) {
      std::int64_t alignment = 1;
      std::vector<Expr> indices = this->indices(alignment);
      const int component = this->component();
      const Type loaded = type_or(Int(32));
      add_level();
      return checked(first,
                     [&] { return make_load(loaded, text, std::move(indices), alignment, component); });
    }
    return make_var(text, type_or(Int(32)));
  }

  Expr number(bool is_negative) override {
    set_leaf();
    const Token digits = take();
    const std::string text = fmt::format("{}{}", is_negative ? "-" : "", digits.text);
    const bool is_float = digits.kind == Token::Kind::Name || text.find_first_of(".eE") != std::string::npos;
    const Token type_token = next();
    const Type type = type_or(is_float ? Float(32) : Int(32));
    if (type.is_vector() || type.is_bool() || type.is_float() != is_float)
      invalid(type_token, fmt::format("{} is not a constant of type {}", text, to_string(type)));
    if (!is_float) return make_int(type, integer(digits, text, type));
    float single = 0;
    double real = 0;
    const bool is_double = type == Float(64);
    require_fit(is_double ? read_number(digits, text, real) : read_number(digits, text, single), digits, text,
                type);
    return make_float(type, is_double ? real : single);
  }

  /// "x, y]", "x align 4]", or "x, y inside]" of an image
  std::vector<Expr> indices(std::int64_t& alignment) {
    if (skip("]")) return {};
    std::vector<Expr> items = operands();
    if (skip("inside")) {
      alignment = kInside;
    } else if (skip("align")) {
      const Token number = take();
      const auto [stop, error] =
          std::from_chars(number.text.data(), number.text.data() + number.text.size(), alignment);
      if (error != std::errc{} || stop != number.text.data() + number.text.size() || alignment < 1) {
        invalid(number, fmt::format("\"{}\" is not a valid alignment", number.text));
      }
    }
    expect("]");
    return items;
  }

  /// Parses ".1" after an access of a tuple's component.
  int component() {
    if (!skip(".")) return kWhole;
    const Token number = take();
    int which = kWhole;
    const auto [stop, error] =
        std::from_chars(number.text.data(), number.text.data() + number.text.size(), which);
    if (error != std::errc{} || stop != number.text.data() + number.text.size() || which < 0)
      invalid(number, fmt::format("\"{}\" is not a component of a tuple", number.text));
    return which;
  }

  Expr function(const Token& called, std::vector<Expr> a) {
    add_level();
    const std::string_view f = called.text;
    const auto require = [&](std::size_t count) { require_operands(called, count, a.size()); };
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
    if (std::optional<Expr> result = basic_function(called, a)) return *std::move(result);
    return checked(called, [&]() -> Expr {
      if (f == "min_or_nan" || f == "max_or_nan") {
        require(2);
        return make_binary(f == "min_or_nan" ? ExprKind::MinOrNan : ExprKind::MaxOrNan, a[0], a[1]);
      }
      if (f == "ramp") {
        require(3);
        return make_ramp(a[0], a[1], lane_count(2, 2));
      }
      if (f == "broadcast") {
        require(2);
        return make_broadcast(a[0], lane_count(1, 2));
      }
      if (f == "slice") {
        require(3);
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
        require(1);
        return make_cast(target->with_lanes(a[0].type().lanes), a[0]);
      }
      if (const SubGroupOperation* operation = find_sub_group_operation(f)) {
        require(static_cast<std::size_t>(operation->operands));
        const bool is_product = operation->kind == SubGroupOperationKind::Multiply;
        const Type result = is_product ? a.back().type() : a[0].type();
        return make_intrinsic(result, std::string(f), std::move(a));
      }
      if (f == kDotProduct) {
        require(3);
        return make_intrinsic(Int(32), std::string(f), std::move(a));
      }
      if (f == kReinterpret) {
        require(1);
        const Type result = type_or(a[0].type());
        return make_intrinsic(result, std::string(f), std::move(a));
      }
      if (find_integer_operation(f) != nullptr) {
        require(2);
        const Type result = a[0].type();
        return make_intrinsic(result, std::string(f), std::move(a));
      }
      if (const IntrinsicEntry* intrinsic = find_intrinsic(f)) {
        require(static_cast<std::size_t>(intrinsic->operands));
        const Type result = type_or(a[0].type());
        return make_intrinsic(result, std::string(f), std::move(a));
      }
      fail(called, "a type or an intrinsic before '(' (calls of Funcs cannot be read back)");
    });
  }

  // Statements.

  /// Parses statements up to the closing brace or the end.
  Stmt statements() {
    std::vector<Stmt> all;
    while (all.empty() || (!at("}") && !at(Token::Kind::End))) all.push_back(statement());
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
      const Token first = next();
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
    const Token end_token = next();
    Expr extent = expression();
    if (!is_const(min, 0)) {
      if (extent->kind != ExprKind::Add || !same((*extent)[0], min)) {
        invalid(end_token,
                fmt::format("the end of a loop from {0} must be written {0} + extent", print(min)));
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
    std::vector<Expr> extents = operands_until("]");
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

  ParseCall call_;
};

}  // namespace

Expr parse_expr(std::string_view text) { return Parser(text).whole_expression(); }
Expr parse_expr(std::string_view text, const ParseCall& call) {
  return Parser(text, call).whole_expression();
}
Stmt parse_stmt(std::string_view text) { return Parser(text).whole_statement(); }

}  // namespace tensordsl::ir
