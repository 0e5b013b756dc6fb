// Pages as HTML.
#include "report/page.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "report/assets.h"
#include "report/escape.h"
#include "report/series_style.h"

namespace tensordsl::report {
namespace {

const std::string kNasty = "</script><!-- \"a\" & 'b' \xc3\xa4 \xe9 ]]> \x01 \\";

Page page_with_everything(const std::string& name) {
  return {
      name,
      {{"date", "2026-01-02"}, {name, name}},
      {{name,
        {Paragraph{name}, Table{{name, "b"}, {{{name, "2"}, true}, {{"3", "4"}}}},
         TextBlock{name, name, true}, Box{name, {name}, {{Box{"inner", {"a line"}, {}, "#112233"}}}, ""},
         LineChart{name,
                   {{name, "B"}, {}},
                   {{name, name}, {}},
                   {{name, {{Point::exact(1, 2), Point::exact(2, 3)}}}, {"other", {{Point::exact(1, 4)}}}},
                   {{Mark::At::X, 2, name}, {Mark::At::Y, 3, name}}},
         BarChart{name, {name, "s"}, {{name, {{name, 1, 1, 1}}}}}}},
       {"empty", {}}}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

}  // namespace

TEST_CASE("to_html: a page with everything, in which every text is what ends elements elsewhere") {
  const std::string html = to_html(page_with_everything(kNasty));
  CHECK(html == to_html(page_with_everything(kNasty)));
  // Two of charts, Vega, and the page's own.
  CHECK(count(html, "<script") == 4);
  CHECK(count(html, "</script") == 4);
  CHECK(count(html, "<!--") == 0);
  CHECK(count(html, "\xe9 ") == 0);
  CHECK(count(html, "\x01") == 0);
  CHECK(count(html,
              "<h1>&lt;/script&gt;&lt;!-- &quot;a&quot; &amp; &#39;b&#39; \xc3\xa4 \xef\xbf\xbd ]]&gt;  "
              "\\</h1>") == 1);
  if (const char* path = std::getenv("TENSORDSL_WRITE_PAGE")) std::ofstream(path, std::ios::binary) << html;
}

TEST_CASE("to_html: needs nothing from elsewhere") {
  const std::string html = to_html(page_with_everything("a"));
  for (const char* stranger : {" src=", " href=", "@import", "url(http", "sourceMappingURL"}) {
    CAPTURE(stranger);
    CHECK(html.find(stranger) == std::string::npos);
  }
}

TEST_CASE(
    "to_html: a table that is wider than the window scrolls, has a shadow there, and takes the keyboard") {
  const std::string html = to_html({"t", {}, {{"words", {Table{{"a"}, {{{"b"}}}}}}}});
  CHECK(count(html, "<div class=\"table\" tabindex=\"0\"><table>") == 1);
  CHECK(html.find(".table, .timeline { overflow-x: auto; background: linear-gradient(") != std::string::npos);
}

TEST_CASE("to_html: every color of a series has a light and a dark value") {
  const std::string css = asset_text("page.css");
  for (std::size_t i = 0; i < 8; ++i) {
    const std::string color = series_style(i).color;  // "var(--series-1)"
    CHECK_MESSAGE(count(css, color.substr(4, color.size() - 5) + ": #") == 2, color);
  }
}

TEST_CASE("to_html: the program that draws is only where there are charts") {
  const std::string html =
      to_html({"t", {}, {{"words", {Paragraph{"a"}, TextBlock{"ir", "for x in [0, 4)\n"}}}}});
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("<details><summary>ir</summary><pre>for x in [0, 4)\n</pre></details>") !=
        std::string::npos);
  CHECK(html.size() < 10000);
}

TEST_CASE("to_html: charts that follow each other stand side by side, others do not") {
  const LineChart chart{"t", {{"x", ""}, {}}, {{"y", ""}, {}}, {}, {}};
  const std::string html = to_html({"t", {}, {{"a", {chart, chart, Paragraph{"b"}, chart}}}});
  CHECK(count(html, "<div class=\"charts\">") == 2);
  CHECK(count(html, "<figure") == 3);
}

TEST_CASE("assets: Vega's modules are in the page byte for byte, but for what would end a script") {
  CHECK(assets().size() >= 20);
  const std::string html = to_html(page_with_everything("a"));
  for (const EmbeddedFile& asset : assets()) {
    CAPTURE(asset.name);
    std::string text = asset_text(asset.name);
    CHECK_FALSE(text.empty());
    if (!asset.name.starts_with("vega-")) continue;
    text.erase(std::min(text.size(), text.rfind("//# sourceMappingURL")));
    CHECK(html.find(script_text(text)) != std::string::npos);
  }
  CHECK_THROWS_WITH(asset_text("vega-nothing"), "report: unknown asset vega-nothing");
}

TEST_CASE("script_text and json_script_text: nothing ends the element, and the meaning stays") {
  CHECK(script_text("a = '</script>' + '<!--'; b < c") == "a = '<\\/script>' + '<\\!--'; b < c");
  CHECK(json_script_text("{\"a\": \"</script><!--\"}") == "{\"a\": \"\\u003c/script>\\u003c!--\"}");
  CHECK(valid_utf8("caf\xe9 \xc3\xa4") == "caf\xef\xbf\xbd \xc3\xa4");
}

}  // namespace tensordsl::report
