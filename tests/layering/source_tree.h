// The project's own files, as text for the checks of this folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::layering {

struct SourceFile {
  std::string path;  ///< relative to the project, with '/'
  std::string text;
};

/// Every file below the folders, sorted by path. Throws std::runtime_error if a folder is missing.
std::vector<SourceFile> read_tree(const std::filesystem::path& root, const std::vector<std::string>& folders);

/// The whole file. Throws std::runtime_error if it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// True for `folder` itself and for everything below it.
bool is_below(std::string_view path, std::string_view folder);

bool is_cpp(std::string_view path);

/// C++ without its comments. A literal's text has no quotes and keeps its escapes; a symbol is one character.
struct Token {
  enum class Kind { Word, Literal, Symbol };
  Kind kind;
  std::string text;
  int line;  ///< from 1
};
std::vector<Token> tokenize(std::string_view text);

/// The words (letters, digits, underscores) of a text.
std::vector<std::string> words_of(std::string_view text);

}  // namespace tensordsl::layering
