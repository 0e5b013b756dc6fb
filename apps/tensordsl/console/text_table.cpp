#include "apps/tensordsl/console/text_table.h"

#include <algorithm>
#include <sstream>

namespace tensordsl::cli {
namespace {

constexpr std::size_t kBefore = 2;

/// True for a continuation byte of a UTF-8 character.
bool is_inner_byte(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

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

std::string shortened_in_middle(const std::string& text, std::size_t columns) {
  const std::string dots = "...";
  if (text.size() <= columns) return text;
  if (columns <= dots.size()) return dots.substr(0, columns);
  std::size_t head = (columns - dots.size() + 1) / 2, tail = text.size() - (columns - dots.size()) / 2;
  while (head > 0 && is_inner_byte(text[head])) --head;
  while (tail < text.size() && is_inner_byte(text[tail])) ++tail;
  return text.substr(0, head) + dots + text.substr(tail);
}

std::string labeled(const std::string& label, const std::string& text, std::size_t label_width,
                    std::optional<int> columns) {
  std::string line = label;
  line.resize(std::max(label_width, label.size() + 1), ' ');
  const auto most = static_cast<std::size_t>(std::max(0, columns.value_or(0)));
  if (!columns || line.size() + text.size() <= most) return line + text + "\n";
  const std::string indent(line.size(), ' ');
  std::istringstream lines(wrapped(text, most - std::min(most, line.size()), 0));
  std::string result, part;
  while (std::getline(lines, part)) result += (result.empty() ? line : indent) + part + "\n";
  return result;
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
