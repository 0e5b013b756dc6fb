// Tests charts of positions over time.
#include "report/timeline_chart.h"

#include <doctest/doctest.h>

#include "report/page.h"

using namespace tensordsl::report;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

}  // namespace

TEST_CASE("timeline: a bar is as wide as its steps and as high as its values") {
  const std::string svg = timeline_svg(
      {"t", "step", {"memory", "B"}, {{"a", 0, 0, 0, 50, "hint"}, {"b", 1, 3, 50, 100, ""}}, {}, {}});
  // Four steps are 1044 pixels wide, and 100 bytes 354 high.
  CHECK(svg.find("<rect x=\"84.00\" y=\"203.00\" width=\"261.00\" height=\"177.00\"") != std::string::npos);
  CHECK(svg.find("<rect x=\"345.00\" y=\"26.00\" width=\"783.00\" height=\"177.00\"") != std::string::npos);
  CHECK(svg.find("<title>a\nhint</title>") != std::string::npos);
  CHECK(count(svg, "class=\"tick\"") == 5 + 4 + 2);
}

TEST_CASE("timeline: a name is written where there is room for it") {
  const std::string name(60, 'n');
  const std::string svg = timeline_svg(
      {"t", "step", {"m", "B"}, {{"short", 0, 99, 0, 50, ""}, {name, 0, 1, 50, 100, ""}}, {}, {}});
  CHECK(count(svg, "class=\"name\">short<") == 1);
  CHECK(count(svg, "class=\"name\"") == 1);
}

TEST_CASE("timeline: any text may be in it, and nothing may") {
  const std::string svg = timeline_svg(
      {"<&\"", "</svg>", {"'", "B"}, {{"</text>", 0, 9, 0, 9, "<"}}, {{Mark::At::Y, 5, "<b>"}}, {4}});
  CHECK(count(svg, "</svg>") == 1);
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(timeline_svg({"", "", {"", ""}, {}, {}, {}}).find("nan") == std::string::npos);
  const std::string html = to_html({"t", {}, {{"memory", {Timeline{"t", "step", {"m", "B"}, {}, {}, {}}}}}});
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find(".timeline") != std::string::npos);
}
