// std::from_chars, of floats too where the C++ library has it only for integers: LLVM's before version 20,
// and so Android's.
#pragma once

#include <locale.h>
#include <stdlib.h>

#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <version>

namespace tensordsl {

template <typename Number>
std::from_chars_result number_from_chars(const char* first, const char* last, Number& value) {
#if !defined(__cpp_lib_to_chars)
  if constexpr (std::floating_point<Number>) {
    // The C locale is used, whatever the program's is. strtod also takes texts that from_chars does not:
    // blanks, +, 0x.
    static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
    const std::string text(first, last);
    const bool is_number = !text.empty() &&
                           text.find_first_not_of("0123456789.eE+-infaINFA") == std::string::npos &&
                           text[0] != '+';
    char* end = nullptr;
    const double number = is_number ? strtod_l(text.c_str(), &end, c_locale) : 0;
    if (!is_number || end == text.c_str()) return {first, std::errc::invalid_argument};
    const auto rounded = static_cast<Number>(number);
    const bool fits = !std::isinf(rounded) || text.find_first_of("nN") != std::string::npos;
    if (fits) value = rounded;
    return {first + (end - text.c_str()), fits ? std::errc{} : std::errc::result_out_of_range};
  } else {
    return std::from_chars(first, last, value);
  }
#else
  return std::from_chars(first, last, value);
#endif
}

}  // namespace tensordsl
