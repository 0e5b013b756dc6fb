#include "layering/source_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tensordsl::layering {
namespace {

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : rest_(text) {}

  std::vector<Token> run() {
    while (!rest_.empty()) step();
    return std::move(tokens_);
  }

 private:
  void step() {
    const char c = rest_.front();
    if (rest_.starts_with("//")) {
      take(rest_.find('\n'));
    } else if (rest_.starts_with("/*")) {
      take_through(rest_.find("*/", 2), 2);
    } else if (rest_.starts_with("R\"")) {
      raw_literal();
    } else if (c == '"' || c == '\'') {
      literal(c);
    } else if (is_word_character(c)) {
      word();
    } else {
      const int line = line_;
      const std::string_view symbol = take(1);
      if (!std::isspace(static_cast<unsigned char>(c))) add(Token::Kind::Symbol, symbol, line);
    }
  }

  /// A number takes its digit separators along, so that they do not open a character literal.
  void word() {
    const bool number = std::isdigit(static_cast<unsigned char>(rest_.front()));
    std::size_t end = 1;
    while (end < rest_.size() && (is_word_character(rest_[end]) || (number && rest_[end] == '\''))) ++end;
    const int line = line_;
    add(Token::Kind::Word, take(end), line);
  }

  /// A literal ends at its line's end at the latest: other languages' apostrophes do no harm.
  void literal(char quote) {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != quote && rest_[end] != '\n') end += rest_[end] == '\\' ? 2 : 1;
    end = std::min(end, rest_.size());
    const int line = line_;
    add(Token::Kind::Literal, take(end).substr(1), line);
    if (!rest_.empty() && rest_.front() == quote) take(1);
  }

  void raw_literal() {
    const std::size_t open = std::min(rest_.find('('), rest_.size() - 1);
    const std::string close = fmt::format("){}\"", rest_.substr(2, open - 2));
    const int line = line_;
    take(open + 1);
    const std::size_t end = rest_.find(close);
    add(Token::Kind::Literal, rest_.substr(0, end), line);
    take_through(end, close.size());
  }

  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    line_ += static_cast<int>(std::count(taken.begin(), taken.end(), '\n'));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  void take_through(std::size_t position, std::size_t size) {
    take(position == std::string_view::npos ? position : position + size);
  }

  void add(Token::Kind kind, std::string_view text, int line) {
    tokens_.push_back({kind, std::string(text), line});
  }

  std::string_view rest_;
  int line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<SourceFile> read_tree(const std::filesystem::path& root,
                                  const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(root / folder)) {
      throw std::runtime_error("no folder " + (root / folder).string());
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      files.push_back({entry.path().lexically_relative(root).generic_string(), read_file(entry.path())});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return text.str();
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_cpp(std::string_view path) { return path.ends_with(".h") || path.ends_with(".cpp"); }

std::vector<Token> tokenize(std::string_view text) { return Tokenizer(text).run(); }

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char c : text) {
    if (is_word_character(c)) {
      if (!in_word) words.emplace_back();
      words.back() += c;
    }
    in_word = is_word_character(c);
  }
  return words;
}

}  // namespace tensordsl::layering
