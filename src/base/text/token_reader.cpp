#include "base/text/token_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/size/size_arithmetic.h"

namespace tensordsl {

Token TokenReader::take() { return std::exchange(token_, lexer_.next()); }

bool TokenReader::skip(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

void TokenReader::expect(std::string_view text) {
  if (!skip(text)) fail(fmt::format("'{}'", text));
}

std::string TokenReader::name(std::string_view what) {
  if (!at(Token::Kind::Name)) fail(what);
  return std::string(take().text);
}

Type TokenReader::type() {
  const std::optional<Type> known = parse_type(token_.text);
  if (!known) fail("a type");
  take();
  return *known;
}

void TokenReader::invalid(const Token& at, std::string_view message) const {
  const std::string_view before = text().substr(0, at.offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  throw ParseError(fmt::format("line {}, column {}: {}", line, column, message));
}

void TokenReader::fail(const Token& found, std::string_view expected) const {
  const char first = found.text.empty() ? ' ' : found.text[0];
  const bool is_printable = first >= ' ' && first <= '~';
  invalid(found, fmt::format("found {}, expected {}",
                             found.kind == Token::Kind::End ? std::string("the end of the text")
                             : is_printable                 ? fmt::format("'{}'", found.text.substr(0, 60))
                                            : fmt::format("byte 0x{:02x}", static_cast<unsigned char>(first)),
                             expected));
}

void TokenReader::limit(int depth) const {
  if (depth > kMaxDepth) invalid(token_, fmt::format("nested more than {} levels deep", kMaxDepth));
}

std::int64_t TokenReader::integer(const Token& digits, std::string_view text, Type type) const {
  std::int64_t value = 0;
  std::uint64_t natural = 0;
  const bool is_u64 = type == UInt(64);
  const bool fits = is_u64 ? read_number(digits, text, natural) : read_number(digits, text, value);
  if (is_u64) value = static_cast<std::int64_t>(natural);
  require_fit(fits && wrapped_to(type, value) == value, digits, text, type);
  return value;
}

void TokenReader::require_fit(bool fits, const Token& digits, std::string_view text, Type type) const {
  if (!fits) invalid(digits, fmt::format("{} is out of range for {}", text, to_string(type)));
}

void TokenReader::refuse_number(const Token& digits, std::string_view text) const {
  invalid(digits, fmt::format("malformed number {}", text));
}

}  // namespace tensordsl
