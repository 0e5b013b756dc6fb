// The page of a profile.
#include "report/pages/profile_page.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "hwprofile/synthetic_architecture.h"
#include "report/pages/architecture_box.h"
#include "report/pages/figure_marks.h"
#include "report/pages/figure_text.h"
#include "report/pages/probe_charts.h"
#include "report/pages/roofline_chart.h"

namespace tensordsl::hwprofile {
namespace {

using report::figure_marks;
using report::figure_text;
using report::probe_charts;
using report::profile_page;
using report::quantity_of_axis;
using report::roofline_chart;

DeviceProfile synthetic_profile(unsigned seed) {
  std::mt19937 random(seed);
  const SyntheticArchitecture architecture = draw_architecture(random);
  DeviceProfile profile;
  profile.results = architecture.measure(random);
  const auto again = architecture.measure(random);
  for (std::size_t i = 0; i < again.size(); ++i) profile.results[i].passes.push_back(again[i].passes[0]);
  profile.profile = profile_of(architecture.info(), profile.results);
  profile.profile.device = "a device";
  return profile;
}

const report::Section& section(const report::Page& page, const std::string& heading) {
  const auto it = std::find_if(page.sections.begin(), page.sections.end(),
                               [&](const report::Section& s) { return s.heading == heading; });
  REQUIRE_MESSAGE(it != page.sections.end(), heading);
  return *it;
}

template <typename T>
std::vector<T> elements(const report::Section& section) {
  std::vector<T> found;
  for (const report::Element& element : section.elements) {
    if (const T* one = std::get_if<T>(&element)) found.push_back(*one);
  }
  return found;
}

}  // namespace

TEST_CASE("profile_page: has the run's facts, every probe and every curve, and the same text each time") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const DeviceProfile profile = synthetic_profile(seed);
    const report::Page page = profile_page(profile, {{"date", "2026-01-02"}, {"host", "here"}});
    CHECK(page.title == "a device");
    CHECK(page.facts[0] == std::pair<std::string, std::string>{"date", "2026-01-02"});
    CHECK(report::to_html(page) ==
          report::to_html(profile_page(profile, {{"date", "2026-01-02"}, {"host", "here"}})));
    for (const ProbeResult& result : profile.results) {
      std::size_t curves = 0;
      for (const auto& chart : elements<report::LineChart>(section(page, result.probe)))
        curves += chart.series.size();
      curves += elements<report::BarChart>(section(page, result.probe)).size();
      CHECK(curves == result.passes[0].curves.size());
    }
  }
}

TEST_CASE("profile_page: every mark has the name and the value of a row of the table") {
  const DeviceProfile profile = synthetic_profile(3);
  const report::Page page = profile_page(profile, {});
  const auto tables = elements<report::Table>(section(page, "figures"));
  REQUIRE(tables.size() == 1);
  int marks = 0;
  for (const ProbeResult& result : profile.results) {
    for (const auto& chart : elements<report::LineChart>(section(page, result.probe))) {
      for (const report::Mark& mark : chart.marks) {
        CAPTURE(mark.label);
        ++marks;
        CHECK(std::any_of(tables[0].rows.begin(), tables[0].rows.end(), [&](const report::Table::Row& row) {
          const std::string about = row.cells[2] == "confident" ? "" : "about ";
          return mark.label == row.cells[0] + " = " + about + row.cells[1];
        }));
      }
    }
  }
  CHECK(marks > 10);
}

TEST_CASE(
    "profile_page: of a profile that knows nothing has question marks, and of a probe that failed the "
    "reason") {
  DeviceProfile nothing;
  nothing.profile.device = "a <device>";
  nothing.results = {{"warp", {{{}, {}, "the device <is> gone"}}}, {"registers", {}}};
  const report::Page page = profile_page(nothing, {});
  CHECK(std::none_of(page.sections.begin(), page.sections.end(),
                     [](const report::Section& s) { return s.heading == "roofline"; }));
  const std::string html = report::to_html(page);
  CHECK(html.find("The first pass could not be run: the device &lt;is&gt; gone") != std::string::npos);
  CHECK(html.find("pool of ?") != std::string::npos);
  CHECK(html.find("This probe did not run on this device.") != std::string::npos);
}

TEST_CASE("profile_page: tells of disturbances and of figures that disagree") {
  DeviceProfile disturbed = synthetic_profile(3);
  disturbed.results.resize(1);
  for (ProbePass& pass : disturbed.results[0].passes) pass.calibrations = {{1, 1}, {1, 2.5}};
  disturbed.results[0].passes[1].error = "it takes too long";
  const report::Page page = profile_page(disturbed, {}, {"a copy moves 120 % of the bytes"});
  CHECK(elements<report::Paragraph>(section(page, "checks"))[0].text == "a copy moves 120 % of the bytes");
  const std::string html = report::to_html(page);
  const std::string& probe = disturbed.results[0].probe;
  for (const std::string& text :
       {"other work ran on the device (all units took up to 2.50 times as long as one); these probes are "
        "unreliable: " +
            probe,
        std::string("The second pass did not end: it takes too long")})
    CHECK_MESSAGE(html.find(text) != std::string::npos, text);
  CHECK(html.find("This probe did not run on this device.") == std::string::npos);
}

TEST_CASE("profile_page: a bundled profile has its sources, and a speedup below 1 the limit that decides") {
  DeviceProfile bundled;
  bundled.profile.device = "a device";
  bundled.profile.sources = {"a paper (2022)", "measured in November 2026"};
  bundled.profile.autobroadcast_pays = BoolMeasurement{true, true};
  bundled.profile.autobroadcast_speedup = Measurement{0.97, 0.95, 0.99, true};
  const std::string html = report::to_html(profile_page(bundled, {{"date", "see the sources"}}));
  for (const char* text :
       {"<dt>source</dt><dd>a paper (2022)</dd>", "<dt>source</dt><dd>measured in November 2026</dd>",
        "autobroadcast_speedup is over 0.9"})
    CHECK_MESSAGE(html.find(text) != std::string::npos, text);
}

TEST_CASE("figure_marks: a figure is where it is in the axis's unit, one for each level of a cache") {
  HwProfile profile;
  const Curve launch{"completed", "launches", "s", {}},
      latency{"latency", "footprint (B)", "latency (ns)", {}};
  CHECK(figure_marks("launch", launch, profile).empty());
  profile.launch_completed_us = Measurement{20, 18, 22, false};
  const auto marks = figure_marks("launch", launch, profile);
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].at == report::Mark::At::Y);
  CHECK(marks[0].value == doctest::Approx(20e-6));
  CHECK(marks[0].label == "launch_completed_us = about 20 us");
  profile.buffer_caches = {{Measurement::exact(32768), {}, {}, {}},
                           {Measurement::exact(1 << 20), {}, {}, {}}};
  profile.image_caches = profile.buffer_caches;
  const auto ends = figure_marks("buffer_cache", latency, profile);
  REQUIRE(ends.size() == 2);
  CHECK(ends[0].label == "buffer_caches[0].bytes = 32 KiB");
  CHECK(ends[1].label == "buffer_caches[1].bytes = 1 MiB");
  CHECK(ends[1].value == 1 << 20);
}

TEST_CASE(
    "probe_charts: choices are bars with their names, curves in one unit share a chart, the second pass is "
    "there") {
  const auto curve = [](const char* name, const char* x, const char* y, std::vector<double> points) {
    Curve result{name, x, y, {points, {points}}};
    for (double& sample : result.sweep.rounds[0]) sample += 1;
    return result;
  };
  const ProbePass pass{
      {curve("one", "launches", "s", {1, 2, 3}), curve("two", "launches", "s", {1, 2, 3}),
       curve("order", "0: along rows, 1: along columns", "GB/s", {0, 1}),
       curve("width", "elements of a texel", "GB/s", {1, 4}), curve("all", "all work-groups", "GB/s", {1})},
      {},
      ""};
  const auto charts = probe_charts({"a probe", {pass, pass}}, HwProfile());
  REQUIRE(charts.size() == 4);
  const auto& lines = std::get<report::LineChart>(charts[0]);
  CHECK(lines.title == "time over launches");
  REQUIRE(lines.series.size() == 2);
  CHECK(lines.series[1].name == "two");
  CHECK(lines.series[1].runs.size() == 2);
  const auto categories = [&](std::size_t chart) {
    std::vector<std::string> names;
    for (const report::Bar& bar : std::get<report::BarChart>(charts[chart]).series.at(1).bars)
      names.push_back(bar.category);
    return names;
  };
  CHECK(categories(1) == std::vector<std::string>{"along rows", "along columns"});
  CHECK(categories(2) == std::vector<std::string>{"1 elements of a texel", "4 elements of a texel"});
  CHECK(categories(3) == std::vector<std::string>{"all work-groups"});
}

TEST_CASE("quantity_of_axis: what an axis is called") {
  const auto is = [](const char* axis, const char* name, const char* unit) {
    const report::Quantity quantity = quantity_of_axis(axis);
    CHECK(quantity.name == name);
    CHECK(quantity.unit == unit);
  };
  is("footprint (B)", "footprint", "B");
  is("GB/s", "bandwidth", "GB/s");
  is("s", "time", "s");
  is("launches", "launches", "");
  is("", "", "");
  is("a ) of (", "a ) of (", "");
}

TEST_CASE("figure_text: a guess says so, what is not known is a question mark") {
  CHECK(figure_text(Measurement{5.25, 4, 7, false}, "us") == "about 5.25 us");
  CHECK(figure_text(Measurement::exact(32), "") == "32");
  CHECK(figure_text(std::nullopt, "us") == "?");
}

TEST_CASE("roofline_chart: a roof for each memory that is known, under the peak") {
  HwProfile profile;
  CHECK_FALSE(roofline_chart(profile).has_value());
  profile.fma_gflops.f32 = Measurement::exact(890);
  CHECK_FALSE(roofline_chart(profile).has_value());
  profile.dram_gbs = Measurement::exact(28);
  profile.image_caches = {{{}, {}, {}, Measurement::exact(194)}};
  const auto chart = roofline_chart(profile);
  REQUIRE(chart.has_value());
  REQUIRE(chart->series.size() == 2);
  CHECK(chart->series[0].name == "images, cache 1, 194 GB/s");
  CHECK(chart->series[1].name == "memory, 28 GB/s");
  CHECK(chart->marks[0].label == "fma_gflops.f32 = 890 GFLOPS");
  // The ridges, where both roofs meet the peak.
  for (const report::Series& series : chart->series) {
    const double ridge = 890 / (series.name.starts_with("memory") ? 28.0 : 194.0);
    CHECK(std::any_of(series.runs[0].begin(), series.runs[0].end(),
                      [&](const report::Point& p) { return p.x == ridge && p.y == 890; }));
  }
}

}  // namespace tensordsl::hwprofile
