#include "base/cpp_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tensordsl {

bool is_cpp_word(std::string_view name) {
  static constexpr std::string_view kWords[] = {
      "alignas",       "alignof",     "and",       "and_eq",       "asm",          "assert",
      "auto",          "bitand",      "bitor",     "bool",         "break",        "case",
      "catch",         "char",        "char16_t",  "char32_t",     "char8_t",      "class",
      "co_await",      "co_return",   "co_yield",  "compl",        "concept",      "const",
      "const_cast",    "consteval",   "constexpr", "constinit",    "continue",     "decltype",
      "default",       "delete",      "do",        "double",       "dynamic_cast", "else",
      "enum",          "errno",       "explicit",  "export",       "extern",       "false",
      "float",         "for",         "friend",    "goto",         "if",           "inline",
      "int",           "linux",       "long",      "mutable",      "namespace",    "new",
      "noexcept",      "not",         "not_eq",    "nullptr",      "operator",     "or",
      "or_eq",         "private",     "protected", "public",       "register",     "reinterpret_cast",
      "requires",      "return",      "short",     "signed",       "sizeof",       "static",
      "static_assert", "static_cast", "stderr",    "stdin",        "stdout",       "struct",
      "switch",        "template",    "this",      "thread_local", "throw",        "true",
      "try",           "typedef",     "typeid",    "typename",     "union",        "unix",
      "unsigned",      "using",       "virtual",   "void",         "volatile",     "wchar_t",
      "while",         "xor",         "xor_eq"};
  return std::ranges::binary_search(kWords, name);
}

std::string cpp_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    if (byte >= ' ' && byte <= '~') {
      result += c;
    } else {
      result += fmt::format("\\{:03o}", byte);
    }
  }
  return result + "\"";
}

}  // namespace tensordsl
