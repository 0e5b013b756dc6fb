#pragma once

#include <cctype>
#include <string>

namespace tensordsl {

/// The letters of the text as small ones.
inline std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace tensordsl
