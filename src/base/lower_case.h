#pragma once

#include <cctype>
#include <string>

namespace tensordsl {

/// Returns the text in lower case.
inline std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace tensordsl
