// Text -> a SizeExpr
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/lexer.h"
#include "base/size/size_function.h"
#include "base/size/size_notation.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using Kind = SizeExpr::Kind;

class SizeParser {
 public:
  explicit SizeParser(std::string_view text) : lexer_(text), token_(lexer_.next()) {}

  SizeExpr run() {
    SizeExpr result = expression();
    if (token_.kind != Token::Kind::End) fail("the end of the text");
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
    const bool is_printable = first >= ' ' && first <= '~';
    invalid(found,
            fmt::format("found {}, expected {}",
                        found.kind == Token::Kind::End ? std::string("the end of the text")
                        : is_printable                 ? fmt::format("'{}'", found.text.substr(0, 60))
                                       : fmt::format("byte 0x{:02x}", static_cast<unsigned char>(first)),
                        expected));
  }
  [[noreturn]] void fail(std::string_view expected) const { fail(token_, expected); }

  /// Refuses what the IR's notation has, and sizes do not: floats, and what is read from memory.
  [[noreturn]] void refuse() const {
    constexpr std::size_t kLongest = 10000;
    const std::string_view text = lexer_.text().substr(0, kLongest);
    throw ParseError(fmt::format("\"{}\" is not an expression of integers", text));
  }

  /// Calls a builder, which checks the types; the text is to blame for what it finds.
  template <typename Build>
  SizeExpr checked(const Token& at, Build build) const {
    try {
      return build();
    } catch (const ParseError&) {
      throw;
    } catch (const Error& error) {
      invalid(at, error.what());
    }
  }

  // Sizes are walked by recursion, so a text may not describe one that overflows the stack.

  class Nesting {
   public:
    explicit Nesting(SizeParser& parser) : parser_(parser) { parser_.limit(++parser_.depth_); }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    SizeParser& parser_;
  };

  void limit(int depth) const {
    constexpr int kMaxDepth = 1000;
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

  Type type_or_i32() {
    if (!skip(":")) return Int(32);
    const std::optional<Type> known = parse_type(token_.text);
    if (!known) fail("a type");
    if (known->is_float() || known->is_vector()) refuse();
    take();
    return *known;
  }

  // Expressions. height_ is the depth of what the last of these functions returned.

  SizeExpr expression(int minimum = kSizeOr) {
    const Nesting nesting(*this);
    SizeExpr left = unary();
    int height = height_;
    for (;;) {
      const auto op =
          std::ranges::find_if(kSizeOperators, [&](const SizeOperator& o) { return at(o.symbol); });
      if (op == kSizeOperators.end() || op->precedence < minimum) break;
      const Token symbol = take();
      const SizeExpr right = expression(op->precedence + 1);
      height = std::max(height, height_) + 1;
      limit(height);
      left = checked(symbol, [&] { return SizeExpr::operation(op->kind, {left, right}); });
    }
    height_ = height;
    return left;
  }

  SizeExpr unary() {
    const Nesting nesting(*this);
    const Token first = token_;
    if (skip("!")) {
      const SizeExpr operand = unary();
      limit(++height_);
      return checked(first, [&] { return SizeExpr::operation(Kind::Not, {operand}); });
    }
    if (skip("-")) {
      if (token_.kind != Token::Kind::Number) fail("a number");
      return number(true);
    }
    if (skip("(")) {
      SizeExpr inner = expression();
      expect(")");
      return inner;
    }
    if (token_.kind == Token::Kind::Number) return number(false);
    if (token_.kind != Token::Kind::Name) fail("an expression");
    return named(take());
  }

  SizeExpr named(const Token& first) {
    height_ = 1;
    if (first.text == "true" || first.text == "false") return SizeExpr::integer(Bool(), first.text == "true");
    if (skip("(")) return function(first, operands());
    if (at("[")) refuse();
    const std::string name(first.text);
    return SizeExpr::param(name, type_or_i32());
  }

  SizeExpr number(bool is_negative) {
    height_ = 1;
    const Token digits = take();
    if (digits.text.find_first_of(".eE") != std::string_view::npos) refuse();
    const std::string text = fmt::format("{}{}", is_negative ? "-" : "", digits.text);
    const Token type_token = token_;
    const Type type = type_or_i32();
    if (type.is_bool()) invalid(type_token, fmt::format("{} is no constant of type bool", text));
    std::int64_t value = 0;
    std::uint64_t natural = 0;
    const char *begin = text.data(), *end = begin + text.size();
    const auto [stop, error] =
        type == UInt(64) ? std::from_chars(begin, end, natural) : std::from_chars(begin, end, value);
    if (error == std::errc::invalid_argument || stop != end)
      invalid(digits, fmt::format("malformed number {}", text));
    if (type == UInt(64)) value = static_cast<std::int64_t>(natural);
    SizeExpr result = SizeExpr::integer(type, value);
    if (error != std::errc{} || result.constant() != value)
      invalid(digits, fmt::format("{} does not fit {}", text, to_string(type)));
    return result;
  }

  /// Reads operands up to the closing parenthesis.
  std::vector<SizeExpr> operands() {
    std::vector<SizeExpr> items;
    int height = 0;
    do {
      items.push_back(expression());
      height = std::max(height, height_);
    } while (skip(","));
    height_ = height;
    expect(")");
    return items;
  }

  SizeExpr function(const Token& called, std::vector<SizeExpr> operands) {
    limit(++height_);
    const std::string name(called.text);
    const auto require = [&](std::size_t count) {
      if (operands.size() != count)
        invalid(called, fmt::format("{} takes {} operands, found {}", name, count, operands.size()));
    };
    return checked(called, [&]() -> SizeExpr {
      if (name == "min" || name == "max") {
        require(2);
        return SizeExpr::operation(name == "min" ? Kind::Min : Kind::Max, std::move(operands));
      }
      if (name == "select") {
        require(3);
        return SizeExpr::operation(Kind::Select, std::move(operands));
      }
      if (const std::optional<Type> type = parse_type(name)) {
        require(1);
        return SizeExpr::cast(*type, operands[0]);
      }
      if (find_size_function(name)) return SizeExpr::call(name, std::move(operands));
      fail(called, "a type or a function of integers before '('");
    });
  }

  Lexer lexer_;
  Token token_;
  int depth_ = 0;
  int height_ = 0;
};

}  // namespace

SizeExpr SizeExpr::parse(std::string_view text) { return SizeParser(text).run(); }

}  // namespace tensordsl
