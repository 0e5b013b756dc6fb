// A page: its contents, and its HTML.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/chart.h"
#include "report/graph_view.h"
#include "report/timeline_chart.h"

namespace tensordsl::report {

struct Paragraph {
  std::string text;
};

struct Table {
  struct Row {
    std::vector<std::string> cells;
    bool is_faint = false;  ///< true: less prominent than the others
  };
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

/// Verbatim text, such as a stage of the IR or a kernel: each character has the same width, and lines are not
/// broken.
struct TextBlock {
  std::string title;
  std::string text;
  bool is_open = false;  ///< true: the text is visible at once; otherwise only the title is, until the reader
                         ///< opens it
};

/// A box with lines and with rows of other boxes in it: a drawing of nested parts.
struct Box {
  std::string heading;
  std::vector<std::string> lines;
  std::vector<std::vector<Box>> rows;
  std::string color;  ///< CSS color of the border; a gray one if empty
};

using Element = std::variant<Paragraph, Table, TextBlock, Box, LineChart, BarChart, GraphView, Timeline>;

struct Section {
  std::string heading;
  std::vector<Element> elements;
};

struct Page {
  std::string title;
  /// Names and values that describe the subject of the page, and when, where and with which version it was
  /// made.
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<Section> sections;
};

/// Returns the page as an HTML file that loads nothing else. Scripts in it (Vega, which is part of the page,
/// and our own) draw charts and graphs when it is opened. The same page gives the same text, and any text may
/// be in it. Throws as lay_out does, if there are graphs.
std::string to_html(const Page& page);

}  // namespace tensordsl::report
