// The report of autoschedule as a page.
#include "report/pages/tuning_page.h"

#include <doctest/doctest.h>

namespace tensordsl::report {
namespace {

AutoscheduleReport report_of_two_kernels() {
  AutoscheduleReport report;
  AutoscheduledKernel conv;
  conv.operators = "Conv+Relu";
  conv.kernel = "conv_relu_kernel";
  conv.strategy = "tiled_reduction";
  conv.us = 10;
  conv.first_us = 20;
  conv.flops = 1000;
  conv.bytes = 100;
  conv.tried = {{"tiled_reduction", "lanes=4", 20.0, 18},
                {"tiled_reduction", "lanes=8", 10.0, 12},
                {"tiled_reduction", "lanes=16", std::nullopt, 9}};
  conv.failures = {"tiled_reduction lanes=16: out of registers"};
  AutoscheduledKernel pool;
  pool.operators = "MaxPool";
  pool.kernel = "maxpool_kernel";
  pool.strategy = "elementwise";
  pool.us = 40;
  pool.flops = 10;
  pool.bytes = 1000;
  report.kernels = {conv, pool};
  report.peak_gflops = 100;
  report.memory_gbs = 10;
  report.trials = 3;
  return report;
}

template <typename T>
const T& element(const Page& page, const std::string& heading) {
  for (const Section& section : page.sections) {
    if (section.heading != heading) continue;
    for (const Element& element : section.elements) {
      if (const T* one = std::get_if<T>(&element)) return *one;
    }
  }
  FAIL("the page has no " << heading);
  static const T none{};
  return none;
}

bool has_section(const Page& page, const std::string& heading) {
  return std::ranges::any_of(page.sections, [&](const Section& s) { return s.heading == heading; });
}

}  // namespace

TEST_CASE("tuning_page: a point of the roofline has the number of its kernel in the table, and its name") {
  const Page page = tuning_page(report_of_two_kernels(), "model", {});
  const Table& table = element<Table>(page, "kernels");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.columns[0] == "#");
  CHECK(table.rows[0].cells[0] == "2");  // it takes longest
  CHECK(table.rows[0].cells[1] == "maxpool_kernel");
  const LineChart& roofline = element<LineChart>(page, "roofline");
  REQUIRE(roofline.series.size() == 2);
  CHECK(roofline.series[1].is_scattered);
  const std::vector<Point>& points = roofline.series[1].runs[0];
  REQUIRE(points.size() == 2);
  CHECK(points[0].label == "2");
  CHECK(points[0].name == "2 maxpool_kernel (MaxPool)");
  CHECK(points[1].label == "1");
}

TEST_CASE("tuning_page: every schedule that was timed is a point beside its prediction") {
  const Page page = tuning_page(report_of_two_kernels(), "model", {});
  const LineChart& chart = element<LineChart>(page, "model");
  REQUIRE(chart.series.size() == 2);
  CHECK(chart.series[1].is_scattered);
  REQUIRE(chart.series[1].runs.size() == 1);
  REQUIRE(chart.series[1].runs[0].size() == 2);
  CHECK(chart.series[1].runs[0][1].name == "1 conv_relu_kernel, tiled_reduction lanes=8");
}

TEST_CASE("tuning_page: what the terminal says of failures, guesses and alternatives is on the page") {
  AutoscheduleReport report = report_of_two_kernels();
  CHECK_FALSE(has_section(tuning_page(report, "model", {}), "alternatives"));
  report.choices = {{"Conv+Relu", 30, 20, true}};
  report.guessed = {"warp_size", "launch_us"};
  report.problem = "the disk is full";
  report.kernels[1].suspicion = "at 0: 3, expected 4";
  const std::string html = to_html(tuning_page(report, "model", {}));
  for (const char* text : {"The trials ended early: the disk is full.",
                           "The profile has no warp_size, launch_us: predictions use guesses of them.",
                           "2 maxpool_kernel: the results of every schedule differ from its definitions, so "
                           "no schedule was chosen "
                           "by trial: at 0: 3, expected 4",
                           "tiled_reduction lanes=16: out of registers",
                           "<td>Conv+Relu</td><td>30 us</td><td>20 us</td><td>otherwise</td>"})
    CHECK_MESSAGE(html.find(text) != std::string::npos, text);
}

}  // namespace tensordsl::report
