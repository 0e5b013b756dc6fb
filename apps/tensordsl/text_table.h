// Columns of text for a terminal.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::cli {

constexpr std::size_t kColumnGap = 2;

/// Rows of one length; the first is the heading. Each column is as wide as its widest cell, two spaces stand
/// before the first and between columns, and no line ends with spaces.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

/// Of the whole table, without the end of a line.
std::size_t table_width(const std::vector<std::vector<std::string>>& rows);

/// Words joined by spaces, in lines of at most `columns` with `indent` spaces before each but the first.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent);

}  // namespace tensordsl::cli
