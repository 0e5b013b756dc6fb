// Columns of text for a terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tensordsl::cli {

constexpr std::size_t kColumnGap = 2;

/// Rows of one length; the first is the heading. Each column is as wide as its widest cell, two spaces stand
/// before the first and between columns, and no line ends with spaces.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

/// Returns the width of the whole table, without line ends.
std::size_t table_width(const std::vector<std::vector<std::string>>& rows);

/// Cuts the text to `columns`; dots replace its middle.
std::string shortened_in_middle(const std::string& text, std::size_t columns);

constexpr std::size_t kLabelWidth = 9;

/// Returns "label    text", where text that is wider than the terminal continues on the next line, aligned.
/// Without a terminal it is one line.
std::string labeled(const std::string& label, const std::string& text, std::size_t label_width,
                    std::optional<int> columns);
inline std::string labeled(const std::string& label, const std::string& text, std::optional<int> columns) {
  return labeled(label, text, kLabelWidth, columns);
}

/// Words joined by spaces, in lines of at most `columns` with `indent` spaces before each but the first.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent);

}  // namespace tensordsl::cli
