// Reads a text token by token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/lexer.h"
#include "base/text/number_from_chars.h"
#include "tensordsl/error.h"
#include "tensordsl/type.h"

namespace tensordsl {

/// Holds the next token of a text. An unexpected token throws a ParseError that names the position.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : lexer_(text), token_(lexer_.next()) {}

  std::string_view text() const { return lexer_.text(); }
  const Token& next() const { return token_; }
  bool at(std::string_view text) const { return token_.text == text; }
  bool at(Token::Kind kind) const { return token_.kind == kind; }

  /// Returns the next token and advances past it.
  Token take();
  /// Goes on if the next token is this.
  bool skip(std::string_view text);
  void expect(std::string_view text);
  /// Reads a name, which errors call `what`.
  std::string name(std::string_view what);
  Type type();

  /// Refuses the text at a token.
  [[noreturn]] void invalid(const Token& at, std::string_view message) const;
  [[noreturn]] void fail(const Token& found, std::string_view expected) const;
  [[noreturn]] void fail(std::string_view expected) const { fail(token_, expected); }
  /// Refuses nesting of more than kMaxDepth levels: trees are walked by recursion, so a text may not describe
  /// one that overflows the stack.
  void limit(int depth) const;
  static constexpr int kMaxDepth = 1000;

  /// Calls a builder, which throws Refusal for operands that it does not take, and turns that into an error
  /// at the token.
  template <typename Refusal, typename Build>
  auto checked(const Token& at, Build build) const {
    try {
      return build();
    } catch (const ParseError&) {
      throw;
    } catch (const Refusal& error) {
      invalid(at, error.what());
    }
  }

  /// Reads `text`, the digits of a token and its sign; false if the type of `value` does not hold it.
  template <typename Number>
  bool read_number(const Token& digits, std::string_view text, Number& value) const {
    const char* end = text.data() + text.size();
    const auto [stop, error] = number_from_chars(text.data(), end, value);
    if (error == std::errc::invalid_argument || stop != end) refuse_number(digits, text);
    return error == std::errc{};
  }
  /// Returns the value of a constant of an integer type. A u64 keeps its bits.
  std::int64_t integer(const Token& digits, std::string_view text, Type type) const;
  void require_fit(bool fits, const Token& digits, std::string_view text, Type type) const;

 private:
  [[noreturn]] void refuse_number(const Token& digits, std::string_view text) const;

  Lexer lexer_;
  Token token_;
};

}  // namespace tensordsl
