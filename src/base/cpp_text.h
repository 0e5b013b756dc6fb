// Helpers of printers of C++.
#pragma once

#include <string>
#include <string_view>

namespace tensordsl {

/// True for keywords, and macros of headers and compilers: names that no identifier of printed C++ may have.
bool is_cpp_word(std::string_view name);

/// Returns the text as a string literal.
std::string cpp_literal(std::string_view text);

}  // namespace tensordsl
