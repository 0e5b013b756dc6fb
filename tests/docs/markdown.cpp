#include "docs/markdown.h"

#include <sstream>

namespace tensordsl::docs {
namespace {

constexpr const char* kOpen = "<!-- generated: ";
constexpr const char* kClose = " -->";

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
