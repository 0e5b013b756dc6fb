// Charts as Vega specifications.
#include "report/chart.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "report/quantity.h"
#include "report/series_style.h"

namespace tensordsl::report {
namespace {

using nlohmann::json;

const json& named(const json& list, const std::string& name) {
  for (const json& item : list) {
    if (item.at("name") == name) return item;
  }
  FAIL("there is no " << name);
  return list;
}

json values(const json& specification, const char* data) {
  return named(specification.at("data"), data).at("values");
}

}  // namespace

TEST_CASE("vega_specification: a line chart has exactly the points that it was given") {
  const LineChart chart{"a title",
                        {{"footprint", "B"}, {}},
                        {{"latency", "ns"}, {}},
                        {{"one", {{{1024, 5, 4, 6}, {2048, 7, 7, 7}}, {{1024, 5.5, 5.5, 5.5}}}},
                         {"two", {{Point::exact(4096, 9)}}}},
                        {}};
  const json spec = json::parse(vega_specification(chart));
  CHECK(spec["title"]["text"] == "a title");
  const json points = values(spec, "points");
  REQUIRE(points.size() == 4);
  CHECK(points[0] == json{{"series", "one"},
                          {"run", 0},
                          {"x", 1024},
                          {"y", 5},
                          {"low", 4},
                          {"high", 6},
                          {"hint", "one: 5 ns at 1 KiB, between 4 ns and 6 ns"}});
  CHECK(points[1]["hint"] == "one: 7 ns at 2 KiB");
  CHECK(points[2]["run"] == 1);
  CHECK(points[3]["series"] == "two");
  CHECK(named(spec["scales"], "color")["domain"] == json{"one", "two"});
  CHECK(named(spec["scales"], "color")["range"].size() == 2);
  CHECK(spec["axes"][0]["title"] == "footprint");
  CHECK(spec["axes"][0].contains("tickCount"));
  CHECK_FALSE(spec["axes"][0].contains("values"));
  CHECK(spec["axes"][1]["title"] == "latency (ns)");
  CHECK(spec.contains("legends"));
}

TEST_CASE("vega_specification: one series needs no legend, and legends are below the curves") {
  LineChart chart{"t", {{"x", ""}, {}}, {{"y", ""}, {}}, {{"one", {{Point::exact(1, 2)}}}}, {}};
  CHECK_FALSE(json::parse(vega_specification(chart)).contains("legends"));
  chart.series.push_back({"two", {{Point::exact(1, 3)}}});
  CHECK(json::parse(vega_specification(chart))["legends"][0]["orient"] == "bottom");
}

TEST_CASE("vega_specification: ticks of an axis that counts are whole numbers") {
  const LineChart counts{"t",
                         {{"work-groups", ""}, {}},
                         {{"time", "s"}, {}},
                         {{"one", {{Point::exact(1, 2), Point::exact(4, 3)}}}},
                         {}};
  const json spec = json::parse(vega_specification(counts));
  CHECK(spec["axes"][0]["tickMinStep"] == 1);
  CHECK_FALSE(spec["axes"][1].contains("tickMinStep"));
  const LineChart parts{"t", {{"share", ""}, {}}, {{"y", ""}, {}}, {{"one", {{Point::exact(0.5, 2)}}}}, {}};
  CHECK_FALSE(json::parse(vega_specification(parts))["axes"][0].contains("tickMinStep"));
}

TEST_CASE("vega_specification: scattered points have no line, and their symbol in the legend") {
  LineChart chart{"t",
                  {{"x", ""}, {}},
                  {{"y", ""}, {}},
                  {{"a line", {{Point::exact(1, 1), Point::exact(9, 9)}}},
                   {"points", {{Point::exact(2, 3), Point::exact(4, 5)}}, true}},
                  {}};
  chart.series[1].runs[0][0].name = "3 conv";
  const json spec = json::parse(vega_specification(chart));
  const json points = values(spec, "points");
  CHECK_FALSE(points[0].contains("scattered"));
  CHECK(points[2]["scattered"] == true);
  CHECK(points[2]["hint"] == "3 conv: 3 at 2");
  CHECK(points[3]["hint"] == "points: 5 at 4");
  CHECK(named(spec["scales"], "legendSymbol")["range"] == json{"stroke", series_style(1).symbol});
  CHECK(named(spec["scales"], "dash")["range"][1] == json::array());
  CHECK(spec["legends"][0]["shape"] == "legendSymbol");
}

TEST_CASE("vega_specification: a point's label is where no other one is, else it is left out") {
  LineChart chart{"t", {{"x", ""}, {}}, {{"y", ""}, {}}, {{"points", {{}}, true}}, {}};
  const auto add = [&](double x, double y, const char* label) {
    Point point = Point::exact(x, y);
    point.label = label;
    chart.series[0].runs[0].push_back(point);
  };
  add(0, 0, "");
  add(100, 100, "");
  add(50, 50, "1");
  CHECK(values(json::parse(vega_specification(chart)), "pointLabels") == json{{{"label", "1"},
                                                                               {"x", 50},
                                                                               {"y", 50},
                                                                               {"align", "left"},
                                                                               {"baseline", "middle"},
                                                                               {"dx", 5},
                                                                               {"dy", 0}}});
  for (int i = 2; i <= 30; ++i) add(50 + 0.1 * i, 50, std::to_string(i).c_str());
  const json labels = values(json::parse(vega_specification(chart)), "pointLabels");
  CHECK(labels.size() > 1);
  CHECK(labels.size() < 10);
}

TEST_CASE("vega_specification: values of neighboring bars stand in two rows") {
  const BarChart bars{"t", {"y", ""}, {{"one", {{"a", 1, 1, 1}}}, {"two", {{"a", 1, 1, 1}}}}};
  const json values_of_bars = json::parse(vega_specification(bars))["marks"][0]["marks"][2];
  CHECK(values_of_bars["encode"]["enter"]["dy"]["signal"] ==
        "-3 - 12 * (indexof(domain('place'), datum.series) % 2)");
}

TEST_CASE("vega_specification: charts have the colors of the page, which differ in dark mode") {
  const LineChart lines{"t", {{"x", ""}, {}}, {{"y", ""}, {}}, {{"one", {{Point::exact(1, 2)}}}}, {}};
  const BarChart bars{"t", {"y", ""}, {{"one", {{"a", 1, 1, 1}}}}};
  for (const std::string& text : {vega_specification(lines), vega_specification(bars)}) {
    CHECK(text.find("\"white\"") == std::string::npos);
    CHECK(text.find("\"#") == std::string::npos);
    CHECK(text.find("var(--series-1)") != std::string::npos);
  }
}

TEST_CASE("vega_specification: values that an axis cannot show are left out, and no number is null") {
  const LineChart chart{
      "t",
      {{"x", ""}, AxisScale::Logarithmic},
      {{"y", ""}, AxisScale::Logarithmic},
      {{"one", {{{1, 2, -1, INFINITY}, {0, 2, 2, 2}, {2, NAN, 1, 1}, {3, 0, 0, 0}, {4, 5, 5, 5}}}}},
      {{Mark::At::X, 0, "nowhere"}, {Mark::At::Y, NAN, "nowhere"}, {Mark::At::Y, 3, "here"}}};
  const std::string text = vega_specification(chart);
  CHECK(text.find("null") == std::string::npos);
  CHECK(json::parse(text)["axes"][0].contains("values"));
  CHECK_FALSE(json::parse(text)["axes"][0].contains("tickCount"));
  const json spec = json::parse(text), points = values(spec, "points");
  REQUIRE(points.size() == 2);
  CHECK(points[0]["low"] == 2);
  CHECK(points[0]["high"] == 2);
  CHECK(values(spec, "uprightMarks").empty());
  CHECK(values(spec, "levelMarks").size() == 1);
  CHECK_NOTHROW(json::parse(vega_specification(LineChart())));
  CHECK_NOTHROW(json::parse(vega_specification(BarChart())));
}

TEST_CASE(
    "vega_specification: labels of upright marks have rows of their own, those of near level marks places") {
  const LineChart chart{"t",
                        {{"x", ""}, AxisScale::Linear},
                        {{"y", ""}, AxisScale::Linear},
                        {{"one", {{Point::exact(0, 0), Point::exact(10, 100)}}}},
                        {{Mark::At::X, 3, "a = 3"},
                         {Mark::At::X, 8, "b = 8"},
                         {Mark::At::Y, 50, "c = 50"},
                         {Mark::At::Y, 52, "d = 52"},
                         {Mark::At::Y, 90, "e = 90"}}};
  const json spec = json::parse(vega_specification(chart));
  CHECK(values(spec, "uprightMarks") ==
        json{{{"value", 8}, {"label", "b = 8"}, {"row", 0}}, {{"value", 3}, {"label", "a = 3"}, {"row", 1}}});
  CHECK(values(spec, "levelMarks") == json{{{"value", 90}, {"label", "e = 90"}, {"slot", 0}},
                                           {{"value", 52}, {"label", "d = 52"}, {"slot", 0}},
                                           {{"value", 50}, {"label", "c = 50"}, {"slot", 1}}});
}

TEST_CASE("vega_specification: bars have the names of their categories, in their order") {
  const BarChart chart{"t",
                       {"bandwidth", "GB/s"},
                       {{"first", {{"along rows", 5, 4, 6}, {"along columns", 3, 3, 3}}},
                        {"second", {{"along rows", 5.5, 5.5, 5.5}, {"nothing", NAN, 0, 0}}}}};
  const json spec = json::parse(vega_specification(chart));
  CHECK(named(spec["scales"], "category")["domain"] == json{"along rows", "along columns"});
  const json bars = values(spec, "bars");
  REQUIRE(bars.size() == 3);
  CHECK(bars[0]["label"] == "5 GB/s");
  CHECK(bars[0]["hint"] == "first: 5 GB/s at along rows, between 4 GB/s and 6 GB/s");
  CHECK(bars[2]["series"] == "second");
}

TEST_CASE(
    "series_style: 56 series in a row have different pairs of color and dash, neighbors differ in both") {
  std::set<std::pair<std::string, std::vector<int>>> pairs;
  for (std::size_t i = 0; i < 56; ++i) {
    const SeriesStyle style = series_style(i), next = series_style(i + 1);
    pairs.emplace(style.color, style.dash);
    CHECK(style.color != next.color);
    CHECK(style.dash != next.dash);
    CHECK(style.symbol != next.symbol);
  }
  CHECK(pairs.size() == 56);
}

TEST_CASE("quantity: numbers with the prefix that leaves four digits") {
  CHECK(quantity(49152, "B") == "48 KiB");
  CHECK(quantity(256, "B") == "256 B");
  CHECK(quantity(33.5 * (1 << 20), "B") == "33.5 MiB");
  CHECK(quantity(3.2e-4, "s") == "320 us");
  CHECK(quantity(0.5e-6, "s") == "500 ns");
  CHECK(quantity(65400, "GFLOPS") == "65.4 TFLOPS");
  CHECK(quantity(132, "") == "132");
  CHECK(quantity(64000, "") == "64000");
  CHECK(quantity(0, "ns") == "0 ns");
}

}  // namespace tensordsl::report
