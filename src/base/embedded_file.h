// A file that is kept in the program: cmake/Embed.cmake.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tensordsl {

/// bytes of the file, in the program's constants
struct EmbeddedFile {
  std::string_view name;
  std::vector<std::string_view> pieces;  ///< pieces of the text, in order

  /// Returns the whole text.
  std::string text() const {
    std::string all;
    for (const std::string_view piece : pieces) all += piece;
    return all;
  }
};

}  // namespace tensordsl
