#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/assets.h"
#include "report/escape.h"

namespace tensordsl::report {
namespace {

constexpr const char* kModule = "vega-";

/// Bundles each of Vega's modules as a function that fills its exports. Source maps are left out.
std::string vega_modules() {
  std::string script = "const modules = {};\n";
  for (const EmbeddedFile& asset : assets()) {
    if (!asset.name.starts_with(kModule)) continue;
    std::string text = asset.text();
    text.erase(std::min(text.size(), text.rfind("//# sourceMappingURL")));
    script +=
        fmt::format("modules[\"{}\"] = function (exports, module, require) {{\n{}\n}};\n", asset.name, text);
  }
  return script_text(script);
}

class HtmlWriter {
 public:
  std::string take() { return std::move(html_); }

  void operator()(const Paragraph& paragraph) {
    end_charts();
    html_ += fmt::format("<p>{}</p>\n", html_text(paragraph.text));
  }
  void operator()(const Table& table) {
    end_charts();
    html_ += "<div class=\"table\" tabindex=\"0\"><table>\n<tr>";
    for (const std::string& column : table.columns) html_ += fmt::format("<th>{}</th>", html_text(column));
    html_ += "</tr>\n";
    for (const Table::Row& row : table.rows) {
      html_ += row.is_faint ? "<tr class=\"faint\">" : "<tr>";
      for (const std::string& cell : row.cells) add_cell(cell);
      html_ += "</tr>\n";
    }
    html_ += "</table></div>\n";
  }
  void operator()(const TextBlock& block) {
    end_charts();
    html_ += fmt::format("<details{}><summary>{}</summary><pre>{}</pre></details>\n",
                         block.is_open ? " open" : "", html_text(block.title), html_text(block.text));
  }
  void operator()(const Box& box) {
    end_charts();
    draw(box);
  }
  void operator()(const LineChart& chart) { add_chart(chart.title, vega_specification(chart)); }
  void operator()(const BarChart& chart) { add_chart(chart.title, vega_specification(chart)); }

  void operator()(const GraphView& view) {
    end_charts();
    html_ += fmt::format("<div class=\"graphs\"><script type=\"application/json\">{}</script></div>\n",
                         json_script_text(graph_json(view)));
  }
  void operator()(const Timeline& timeline) {
    end_charts();
    html_ += fmt::format("<figure class=\"timeline\">{}</figure>\n", timeline_svg(timeline));
  }

  void heading(const std::string& text) {
    end_charts();
    html_ += fmt::format("<h2>{}</h2>\n", html_text(text));
  }

  void end_charts() {
    if (has_charts_) html_ += "</div>\n";
    has_charts_ = false;
  }

 private:
  /// Adds a cell; a long one may wrap.
  void add_cell(const std::string& cell) {
    constexpr std::size_t kLong = 26;
    html_ += fmt::format("<td{}>{}</td>", cell.size() > kLong ? " class=\"long\"" : "", html_text(cell));
  }

  /// Charts that follow each other stand side by side.
  void add_chart(const std::string& title, const std::string& specification) {
    if (!has_charts_) html_ += "<div class=\"charts\">\n";
    has_charts_ = true;
    html_ += fmt::format(
        "<figure class=\"chart\" role=\"img\" aria-label=\"{}\"><script type=\"application/json\">{}</script>"
        "</figure>\n",
        html_text(title), json_script_text(specification));
  }

  void draw(const Box& box) {
    html_ +=
        fmt::format("<div class=\"box\"{}><b>{}</b>\n",
                    box.color.empty() ? "" : fmt::format(" style=\"border-color:{}\"", html_text(box.color)),
                    html_text(box.heading));
    for (const std::string& line : box.lines) html_ += fmt::format("<div>{}</div>\n", html_text(line));
    for (const auto& row : box.rows) {
      html_ += "<div class=\"boxes\">\n";
      for (const Box& inner : row) draw(inner);
      html_ += "</div>\n";
    }
    html_ += "</div>\n";
  }

  std::string html_;
  bool has_charts_ = false;
};

}  // namespace

std::string to_html(const Page& page) {
  HtmlWriter body;
  bool has_chart = false, has_graph = false, has_timeline = false;
  for (const Section& section : page.sections) {
    body.heading(section.heading);
    for (const Element& element : section.elements) {
      has_chart |= std::holds_alternative<LineChart>(element) || std::holds_alternative<BarChart>(element);
      has_graph |= std::holds_alternative<GraphView>(element);
      has_timeline |= std::holds_alternative<Timeline>(element);
      std::visit(body, element);
    }
  }
  body.end_charts();
  std::string facts;
  for (const auto& [name, value] : page.facts)
    facts += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(name), html_text(value));
  std::string css = asset_text("page.css");
  if (has_graph) css += asset_text("graph.css");
  if (has_timeline) css += asset_text("timeline.css");
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<dl>\n{2}</dl>\n{3}",
      html_text(page.title), css, facts, body.take());
  if (has_chart) {
    html += fmt::format("<script>\n{}</script>\n<script>\n{}</script>\n", vega_modules(),
                        script_text(asset_text("page.js")));
  }
  if (has_graph) html += fmt::format("<script>\n{}</script>\n", script_text(asset_text("graph.js")));
  return html + "</body>\n</html>\n";
}

}  // namespace tensordsl::report
