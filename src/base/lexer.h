// Cuts the text of an expression into tokens.
#pragma once

#include <cstddef>
#include <string_view>

namespace tensordsl {

/// A piece of the text; an unknown character is a Symbol, for the parser to refuse.
struct Token {
  enum class Kind { Name, Number, Symbol, End } kind = Kind::End;
  std::string_view text;
  std::size_t offset = 0;
};

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
inline bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  std::string_view text() const { return text_; }

  Token next() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
    if (at_ == text_.size()) return {Token::Kind::End, {}, at_};
    const std::size_t start = at_;
    const char first = text_[at_++];
    Token::Kind kind = Token::Kind::Symbol;
    if (is_letter(first)) {
      kind = Token::Kind::Name;
      while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    } else if (is_digit(first)) {
      kind = Token::Kind::Number;
      while (at_ < text_.size() && (is_name_part(text_[at_]) || is_exponent_sign())) ++at_;
    } else {
      const std::string_view pair = text_.substr(start, 2);
      if (pair == "&&" || pair == "||" || pair == "==" || pair == "!=" || pair == "<=") ++at_;
    }
    return {kind, text_.substr(start, at_ - start), start};
  }

 private:
  bool is_exponent_sign() const {
    return (text_[at_] == '+' || text_[at_] == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace tensordsl
