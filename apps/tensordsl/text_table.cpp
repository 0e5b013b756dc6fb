#include "apps/tensordsl/text_table.h"

#include <algorithm>
#include <sstream>

namespace tensordsl::cli {
namespace {

constexpr std::size_t kBefore = 2;

std::vector<std::size_t> widths_of(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

}  // namespace

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string table;
  for (const auto& row : rows) {
    std::string line(kBefore, ' ');
    for (std::size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + kColumnGap, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + "\n";
  }
  return table;
}

std::size_t table_width(const std::vector<std::vector<std::string>>& rows) {
  std::size_t width = kBefore;
  for (const std::size_t column : widths_of(rows)) width += column + kColumnGap;
  return width - kColumnGap;
}

std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent) {
  std::istringstream words(text);
  std::string result, line, word;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > columns) {
      result += line + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return result + line + "\n";
}

}  // namespace tensordsl::cli
