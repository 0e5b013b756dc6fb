#include "docs/markdown.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace tensordsl::docs {
namespace {

constexpr const char* kOpen = "<!-- generated: ";
constexpr const char* kClose = " -->";

/// The lines that stand in no block of code.
std::vector<std::string> prose_of(const std::string& markdown) {
  std::vector<std::string> prose;
  std::istringstream lines(markdown);
  bool is_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      is_code = !is_code;
    } else if (!is_code) {
      prose.push_back(line);
    }
  }
  return prose;
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Splits a line into its texts between backticks and the rest.
std::pair<std::vector<std::string>, std::string> parted(const std::string& line) {
  std::vector<std::string> code;
  std::string rest;
  std::size_t at = 0;
  for (std::size_t open; (open = line.find('`', at)) != std::string::npos;) {
    const std::size_t close = line.find('`', open + 1);
    if (close == std::string::npos) break;
    rest += line.substr(at, open - at);
    code.push_back(line.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return {code, rest + line.substr(at)};
}

}  // namespace

std::vector<std::string> written_code(const std::string& markdown) {
  std::vector<std::string> found;
  std::istringstream lines(markdown);
  std::string before;
  for (std::string line; std::getline(lines, line);) {
    if (line == "```cpp" && !before.starts_with(kOpen)) {
      std::getline(lines, line);
      found.push_back(line);
    }
    before = line;
  }
  return found;
}

std::vector<std::string> links_of(const std::string& markdown) {
  std::vector<std::string> links;
  for (const std::string& line : prose_of(markdown)) {
    const std::string text = parted(line).second;
    for (std::size_t at = 0; (at = text.find("](", at)) != std::string::npos;) {
      at += 2;
      const std::size_t end = std::min(text.find(')', at), text.size());
      links.push_back(text.substr(at, end - at));
    }
  }
  return links;
}

std::vector<std::string> anchors_of(const std::string& markdown) {
  std::vector<std::string> anchors;
  std::map<std::string, int> used;
  for (const std::string& line : prose_of(markdown)) {
    const std::size_t level = line.find_first_not_of('#');
    if (level == 0 || level > 6 || line[level] != ' ') continue;
    std::string anchor;
    for (const char c : line.substr(level + 1)) {
      if (is_letter_or_digit(c) || c == '-' || c == '_') {
        anchor += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      } else if (c == ' ') {
        anchor += '-';
      }
    }
    const int before = used[anchor]++;
    anchors.push_back(before == 0 ? anchor : anchor + "-" + std::to_string(before));
  }
  return anchors;
}

std::vector<std::string> paths_of(const std::string& markdown, const std::vector<std::string>& folders) {
  std::vector<std::string> paths;
  for (const std::string& line : prose_of(markdown)) {
    for (const std::string& code : parted(line).first) {
      const std::string path = code.substr(0, code.find(':'));
      const bool is_plain = std::ranges::all_of(
          path, [](char c) { return is_letter_or_digit(c) || c == '/' || c == '_' || c == '-' || c == '.'; });
      const bool is_ours = std::ranges::any_of(
          folders, [&](const std::string& folder) { return path.starts_with(folder + "/"); });
      if (is_plain && is_ours) paths.push_back(path);
    }
  }
  return paths;
}

std::vector<std::string> generated_names(const std::string& markdown) {
  const std::string open = kOpen;
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = markdown.find(open, at)) != std::string::npos;) {
    at += open.size();
    names.push_back(markdown.substr(at, markdown.find(kClose, at) - at));
  }
  return names;
}

}  // namespace tensordsl::docs
