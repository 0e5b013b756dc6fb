// Helpers of printers of C++.
#pragma once

#include <string>
#include <string_view>

namespace tensordsl {

/// Keywords, and what headers and compilers define as macros: no identifier of printed C++ may be called so.
bool is_cpp_word(std::string_view name);

/// A string literal.
std::string cpp_literal(std::string_view text);

}  // namespace tensordsl
