#include "report/pages/tuning_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/quantity.h"
#include "tune/tuning_totals.h"

namespace tensordsl::report {
namespace {

/// Curves of more kernels than this cannot be distinguished.
constexpr std::size_t kMostCurves = 12;

double us_of_launches(const AutoscheduledKernel& kernel) {
  return tune::reported_us(kernel) * kernel.launches;
}

/// The number of a kernel, which tables and charts have in common.
std::string number_of(const AutoscheduleReport& report, const AutoscheduledKernel& kernel) {
  return std::to_string(&kernel - report.kernels.data() + 1);
}

/// "3 conv_relu_kernel": names of different kernels may be the same.
std::string name_of(const AutoscheduleReport& report, const AutoscheduledKernel& kernel) {
  return fmt::format("{} {}", number_of(report, kernel), kernel.kernel);
}

/// Returns the kernels, those that take longest first.
std::vector<const AutoscheduledKernel*> by_time(const AutoscheduleReport& report) {
  std::vector<const AutoscheduledKernel*> kernels;
  for (const AutoscheduledKernel& kernel : report.kernels) kernels.push_back(&kernel);
  std::ranges::stable_sort(kernels, std::ranges::greater{},
                           [](const auto* kernel) { return us_of_launches(*kernel); });
  return kernels;
}

Table table_of_kernels(const AutoscheduleReport& report) {
  const tune::TuningTotals totals = tune::totals_of(report);
  Table table{{"#", "kernel", "operators", "launches", "strategy", "time", "source", "GFLOPS", "of roofline",
               "share of time", "gain", "tried", "failed"},
              {}};
  for (const AutoscheduledKernel* kernel : by_time(report)) {
    const double us = tune::reported_us(*kernel), first = tune::reported_first_us(*kernel);
    const bool is_summed = us > 0 && totals.includes(*kernel);
    table.rows.push_back(
        {{number_of(report, *kernel), kernel->kernel, kernel->operators, std::to_string(kernel->launches),
          kernel->strategy, us > 0 ? quantity(us * 1e-6, "s") : "", kernel->us ? "timed" : "predicted",
          us > 0 && kernel->flops > 0 ? fmt::format("{:.1f}", static_cast<double>(kernel->flops) * 1e-3 / us)
                                      : "",
          us > 0 ? fmt::format("{:.0f} %", 100 * kernel->floor_us / us) : "",
          is_summed ? fmt::format("{:.1f} %", 100 * us_of_launches(*kernel) / totals.us) : "",
          is_summed ? fmt::format("{:.2f}", first / us) : "", std::to_string(kernel->tried.size()),
          std::to_string(kernel->failures.size())}});
  }
  return table;
}

/// Charts each kernel's speedup over its first trial.
LineChart speed_against_trials(const AutoscheduleReport& report) {
  LineChart chart{"Speed over that of the first schedule",
                  {{"trials of the kernel", ""}, AxisScale::Linear},
                  {{"times as fast", ""}, AxisScale::Linear},
                  {},
                  {}};
  for (const AutoscheduledKernel* kernel : by_time(report)) {
    std::vector<Point> curve;
    double first = 0, best = INFINITY;
    for (std::size_t i = 0; i < kernel->tried.size(); ++i) {
      const std::optional<double>& us = kernel->tried[i].us;
      if (us) {
        if (first == 0) first = *us;
        best = std::min(best, *us);
      }
      if (first > 0) curve.push_back(Point::exact(static_cast<double>(i + 1), first / best));
    }
    if (curve.size() > 1) chart.series.push_back({name_of(report, *kernel), {std::move(curve)}});
    if (chart.series.size() == kMostCurves) break;
  }
  return chart;
}

LineChart roofline(const AutoscheduleReport& report) {
  LineChart chart{"Roofline",
                  {{"operations for each byte", ""}, AxisScale::Logarithmic},
                  {{"rate", "GFLOPS"}, AxisScale::Logarithmic},
                  {},
                  {}};
  const double peak = report.peak_gflops, memory = report.memory_gbs, ridge = peak / memory;
  std::vector<Point> roof;
  for (const double x : {ridge / 64, ridge, ridge * 64})
    roof.push_back(Point::exact(x, std::min(peak, x * memory)));
  chart.series.push_back({"main memory and peak, by the profile", {std::move(roof)}});
  Series kernels{"kernels, by their numbers", {{}}, true};
  for (const AutoscheduledKernel* kernel : by_time(report)) {
    const double us = tune::reported_us(*kernel);
    if (kernel->flops <= 0 || kernel->bytes <= 0 || us <= 0) continue;
    const auto flops = static_cast<double>(kernel->flops);
    Point point = Point::exact(flops / static_cast<double>(kernel->bytes), flops * 1e-3 / us);
    point.label = number_of(report, *kernel);
    point.name = fmt::format("{} ({}){}", name_of(report, *kernel), kernel->operators,
                             kernel->us ? "" : ", predicted");
    kernels.runs[0].push_back(std::move(point));
  }
  if (!kernels.runs[0].empty()) chart.series.push_back(std::move(kernels));
  return chart;
}

/// A point for each schedule that was timed: on the line where both are the same.
LineChart predicted_against_measured(const AutoscheduleReport& report) {
  LineChart chart{"Predicted and measured",
                  {{"measured", "s"}, AxisScale::Logarithmic},
                  {{"predicted", "s"}, AxisScale::Logarithmic},
                  {},
                  {}};
  std::map<std::string, std::vector<Point>> by_strategy;
  double least = INFINITY, most = 0;
  for (const AutoscheduledKernel& kernel : report.kernels) {
    for (const TriedSchedule& tried : kernel.tried) {
      if (!tried.us || tried.predicted_us <= 0) continue;
      Point point = Point::exact(*tried.us * 1e-6, tried.predicted_us * 1e-6);
      point.name = fmt::format("{}, {} {}", name_of(report, kernel), tried.strategy, tried.point);
      by_strategy[tried.strategy].push_back(std::move(point));
      least = std::min(least, *tried.us * 1e-6);
      most = std::max(most, *tried.us * 1e-6);
    }
  }
  if (by_strategy.empty()) return chart;
  chart.series.push_back({"as measured", {{Point::exact(least, least), Point::exact(most, most)}}});
  for (auto& [strategy, points] : by_strategy) chart.series.push_back({strategy, {std::move(points)}, true});
  return chart;
}

Table table_of_spaces(const AutoscheduleReport& report) {
  Table table{{"kernel", "strategy", "points", "do not fit"}, {}};
  bool has_criteria = false;
  for (const AutoscheduledKernel* kernel : by_time(report)) {
    for (const ExploredStrategy& strategy : kernel->explored) {
      if (!has_criteria) {
        for (const auto& [criterion, count] : strategy.left_out) table.columns.push_back(criterion);
        table.columns.insert(table.columns.end(), {"refused", "left"});
        has_criteria = true;
      }
      std::vector<std::string> cells{name_of(report, *kernel), strategy.strategy,
                                     fmt::format("{}", strategy.points), fmt::format("{}", strategy.unfit)};
      std::int64_t left = strategy.points - strategy.unfit - strategy.refused;
      for (const auto& [criterion, count] : strategy.left_out) {
        cells.push_back(fmt::format("{}", count));
        left -= count;
      }
      cells.push_back(fmt::format("{}", strategy.refused));
      cells.push_back(fmt::format("{}", std::max<std::int64_t>(0, left)));
      table.rows.push_back({std::move(cells), strategy.strategy != kernel->strategy});
    }
  }
  return table;
}

/// The operators that were also computed in another way, and which of the two was taken.
Table table_of_choices(const AutoscheduleReport& report) {
  Table table{{"operators", "as one", "otherwise", "taken"}, {}};
  for (const AutoscheduledChoice& choice : report.choices) {
    table.rows.push_back({{choice.operators, quantity(choice.whole_us * 1e-6, "s"),
                           quantity(choice.apart_us * 1e-6, "s"), choice.is_apart ? "otherwise" : "as one"}});
  }
  return table;
}

/// Kernels whose results were wrong, schedules that failed, and figures that are not known.
std::vector<Element> problems_of(const AutoscheduleReport& report) {
  std::vector<Element> problems;
  if (!report.problem.empty())
    problems.emplace_back(Paragraph{"The trials ended early: " + report.problem + "."});
  if (!report.guessed.empty()) {
    problems.emplace_back(Paragraph{fmt::format("The profile has no {}: predictions use guesses of them.",
                                                fmt::join(report.guessed, ", "))});
  }
  Table failures{{"kernel", "schedules that failed"}, {}};
  for (const AutoscheduledKernel& kernel : report.kernels) {
    if (!kernel.suspicion.empty()) {
      problems.emplace_back(
          Paragraph{fmt::format("{}: the results of every schedule differ from its definitions, so no "
                                "schedule was chosen by trial: {}",
                                name_of(report, kernel), kernel.suspicion)});
    }
    for (const std::string& failure : kernel.failures)
      failures.rows.push_back({{name_of(report, kernel), failure}});
  }
  if (!failures.rows.empty()) problems.emplace_back(std::move(failures));
  return problems;
}

}  // namespace

Page tuning_page(const AutoscheduleReport& report, const std::string& title,
                 const std::vector<std::pair<std::string, std::string>>& facts) {
  Page page{title, facts, {}};
  const tune::TuningTotals totals = tune::totals_of(report);
  page.facts.emplace_back(totals.title(), quantity(totals.us * 1e-6, "s"));
  if (totals.us > 0) {
    page.facts.emplace_back("over the first choice",
                            fmt::format("{:.2f} times as fast", totals.first_us / totals.us));
  }
  page.facts.emplace_back("trials", std::to_string(report.trials));
  page.sections.push_back({"kernels", {table_of_kernels(report)}});
  if (!report.choices.empty()) {
    page.sections.push_back(
        {"alternatives",
         {Paragraph{"Operators that were timed both in one kernel and otherwise: a direct convolution and "
                    "Winograd's, or fused and unfused kernels."},
          table_of_choices(report)}});
  }
  if (std::vector<Element> problems = problems_of(report); !problems.empty())
    page.sections.push_back({"problems", std::move(problems)});
  if (report.trials > 0) {
    page.sections.push_back(
        {"trials",
         {Paragraph{fmt::format("The {} kernels that take longest. A time is that of the fastest schedule so "
                                "far, corrected for the drift of the device's speed.",
                                kMostCurves)},
          speed_against_trials(report)}});
  }
  if (report.peak_gflops > 0 && report.memory_gbs > 0) {
    page.sections.push_back({"roofline",
                             {Paragraph{"Bytes are those of operands and results, counted once. Data in a "
                                        "cache may be read faster than the main memory's roof. A number is "
                                        "that of the kernel in the table above; hover over it for its name."},
                              roofline(report)}});
  }
  page.sections.push_back({"model", {predicted_against_measured(report)}});
  page.sections.push_back({"spaces",
                           {Paragraph{"Points of each strategy that applies, and the first criterion that "
                                      "excluded others before any trial. The chosen strategy is not faint."},
                            table_of_spaces(report)}});
  Section schedules{"schedules", {}};
  for (const AutoscheduledKernel* kernel : by_time(report)) {
    if (!kernel->cpp.empty())
      schedules.elements.emplace_back(TextBlock{
          fmt::format("{}: {} {}", name_of(report, *kernel), kernel->strategy, kernel->point), kernel->cpp});
  }
  page.sections.push_back(std::move(schedules));
  return page;
}

}  // namespace tensordsl::report
