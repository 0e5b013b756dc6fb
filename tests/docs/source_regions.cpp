#include "docs/source_regions.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "docs/text_file.h"
#include "support/source_dir.h"

namespace tensordsl::docs {
namespace {

std::size_t indentation_of(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// "sum" of "  // [sum]"; empty of any other line.
std::string marker_of(const std::string& line) {
  const std::string text = line.substr(indentation_of(line));
  return text.starts_with("// [") && text.ends_with(']') ? text.substr(4, text.size() - 5) : "";
}

std::string without_indentation(const std::vector<std::string>& lines) {
  std::size_t shared = std::string::npos;
  for (const std::string& line : lines) {
    if (!line.empty()) shared = std::min(shared, indentation_of(line));
  }
  std::string text;
  for (const std::string& line : lines) text += (line.empty() ? line : line.substr(shared)) + "\n";
  return text;
}

}  // namespace

std::map<std::string, std::string> source_regions(const std::string& source) {
  std::map<std::string, std::string> regions;
  std::string name;
  std::vector<std::string> lines;
  std::istringstream text(source);
  for (std::string line; std::getline(text, line);) {
    const std::string marker = marker_of(line);
    if (name.empty()) {
      if (!marker.empty()) name = marker;
    } else if (marker == "end") {
      if (!regions.emplace(name, without_indentation(lines)).second)
        throw std::runtime_error("two regions are named " + name);
      name.clear();
      lines.clear();
    } else if (!marker.empty()) {
      throw std::runtime_error("the region " + marker + " begins in " + name);
    } else {
      lines.push_back(line);
    }
  }
  if (!name.empty()) throw std::runtime_error("the region " + name + " is not closed");
  return regions;
}

std::map<std::string, std::string> regions_of_folder(const std::string& folder) {
  std::string sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / folder)) {
    if (entry.is_regular_file())
      sources += read_file(entry.path().lexically_relative(source_dir()).string()) + "\n";
  }
  return source_regions(sources);
}

}  // namespace tensordsl::docs
