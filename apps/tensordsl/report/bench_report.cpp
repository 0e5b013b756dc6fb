#include "apps/tensordsl/report/bench_report.h"

#include <fmt/format.h>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/transform.hpp>

#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/text_table.h"
#include "apps/tensordsl/console/time_text.h"
#include "base/text/counted.h"

namespace tensordsl::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* kAbovePeak =
    "the peak was measured while the machine was busy, or kernels do less than the operations that are "
    "counted, as with Winograd, or faster ones than f32 multiply-adds";

double gflops_of(std::int64_t flops, double ms) { return static_cast<double>(flops) / ms * 1e-6; }

std::vector<double> times_of(const BenchReport& report, double TimedRun::*part = &TimedRun::ms) {
  return report.runs | ranges::views::transform(part) | ranges::to<std::vector>();
}

void add_speed(ordered_json& json, const BenchReport& report) {
  const SpeedOverTime speed = speed_over_time(report.runs);
  json["seconds"] = report.seconds;
  json["speed_at_end"] = json_number(speed.speed_at_end());
  json["slowest_to_fastest"] = json_number(speed.slowest_to_fastest);
  json["over_time"] = ordered_json::array();
  for (const SpeedOverTime::Part& part : speed.parts) {
    json["over_time"].push_back({{"from_s", part.from_s},
                                 {"to_s", part.to_s},
                                 {"runs", part.runs},
                                 {"median_ms", part.median_ms},
                                 {"speed", json_number(part.speed)}});
  }
}

/// Fits the line to the terminal; without a terminal the line is not changed.
std::string line_of(const std::string& text, std::optional<int> columns) {
  return columns ? wrapped(text, static_cast<std::size_t>(*columns), 2) : text + "\n";
}

}  // namespace

ordered_json to_json(const BenchReport& report, const LoadedModel& model) {
  const Program& program = *model.program;
  const std::vector<double> times = times_of(report);
  const double median_ms = quantile(times, 0.5), gflops = gflops_of(program.flops(), median_ms);
  ordered_json json{{"model", report.model},
                    {"device", model.device->info().name},
                    {"precision", model.precision.empty() ? ordered_json() : ordered_json(model.precision)},
                    {"runs", times.size()},
                    {"median_ms", median_ms},
                    {"p10_ms", quantile(times, 0.1)},
                    {"p90_ms", quantile(times, 0.9)},
                    {"write_median_ms", quantile(times_of(report, &TimedRun::write_ms), 0.5)},
                    {"gflops", json_number(gflops)},
                    {"fma_peak_gflops", json_number(report.fma_peak_gflops)},
                    {"peak_fraction", json_number(gflops / report.fma_peak_gflops)},
                    {"kernels", program.launches.size()},
                    {"distinct_kernels", program.kernels.size()},
                    {"intermediate_bytes", program.intermediate_bytes()},
                    {"compile_ms", model.compile_ms()},
                    {"lowered_earlier", model.is_kept},
                    {"build_ms", model.build_ms()}};
  if (gflops > report.fma_peak_gflops) json["note"] = kAbovePeak;
  if (report.seconds > 0) add_speed(json, report);
  json["per_kernel"] = ordered_json::array();
  for (std::size_t k = 0; k < program.launches.size(); ++k) {
    const Program::Launch& launch = program.launches[k];
    const double ms = quantile(report.kernel_ms[k], 0.5);
    json["per_kernel"].push_back({{"kernel", program.kernels[launch.kernel].entry},
                                  {"operators", launch.label},
                                  {"median_ms", ms},
                                  {"gflops", json_number(gflops_of(launch.flops, ms))}});
  }
  return json;
}

std::string to_text(const BenchReport& report, const LoadedModel& model, std::optional<int> columns) {
  const Program& program = *model.program;
  const std::vector<double> times = times_of(report);
  const double median_ms = quantile(times, 0.5), gflops = gflops_of(program.flops(), median_ms);
  std::string text;
  for (std::size_t k = 0; k < program.launches.size(); ++k) {
    const Program::Launch& launch = program.launches[k];
    const double ms = quantile(report.kernel_ms[k], 0.5);
    const std::string& entry = program.kernels[launch.kernel].entry;
    text += kernel_line(ms, gflops_of(launch.flops, ms),
                        launch.label.empty() ? entry : fmt::format("{} ({})", entry, launch.label), columns);
  }
  text += line_of(fmt::format("median {} ms, p10 {}, p90 {} ({} after a warm-up); writing the "
                              "generated inputs takes {} ms more",
                              milliseconds_text(median_ms), milliseconds_text(quantile(times, 0.1)),
                              milliseconds_text(quantile(times, 0.9)), counted(times.size(), "run", "runs"),
                              milliseconds_text(quantile(times_of(report, &TimedRun::write_ms), 0.5))),
                  columns);
  // Programs of generators do not say how many operations they are.
  if (program.flops() > 0) {
    for (const std::string& line : peak_lines(gflops, report.fma_peak_gflops)) text += line_of(line, columns);
  }
  text += line_of(fmt::format("{} ({} distinct), intermediates {:.2f} MiB; {}, built in {:.0f} ms",
                              counted(program.launches.size(), "kernel", "kernels"), program.kernels.size(),
                              static_cast<double>(program.intermediate_bytes()) / (1 << 20),
                              model.lowering_text(), model.build_ms()),
                  columns);
  if (report.seconds > 0) text += to_text(speed_over_time(report.runs), columns);
  return text;
}

std::vector<std::string> peak_lines(double gflops, double peak_gflops) {
  if (gflops <= peak_gflops) {
    return {fmt::format("{:.1f} GFLOPS, {:.1f} % of the measured multiply-add peak of {:.1f}", gflops,
                        100 * gflops / peak_gflops, peak_gflops)};
  }
  return {fmt::format("{:.1f} GFLOPS, above the measured multiply-add peak of {:.1f}", gflops, peak_gflops),
          fmt::format("note: {}", kAbovePeak)};
}

std::string kernel_line(double ms, double gflops, const std::string& name, std::optional<int> columns) {
  const std::string figures = gflops > 0
                                  ? fmt::format("{:>9} ms {:>8.1f} GFLOPS", milliseconds_text(ms), gflops)
                                  : fmt::format("{:>9} ms {:>8} GFLOPS", milliseconds_text(ms), "-");
  if (!columns) return fmt::format("{}  {}\n", figures, name);
  constexpr std::size_t kNarrowest = 24, kIndent = 4;
  const auto most = static_cast<std::size_t>(*columns);
  if (most >= figures.size() + kColumnGap + kNarrowest)
    return fmt::format("{}  {}\n", figures, shortened_in_middle(name, most - figures.size() - kColumnGap));
  return fmt::format("{}\n{:{}}{}\n", figures, "", kIndent,
                     shortened_in_middle(name, std::max(most, kIndent) - kIndent));
}

std::string to_text(const SpeedOverTime& speed, std::optional<int> columns) {
  std::vector<std::vector<std::string>> rows{{"from s", "runs", "ms", "speed"}};
  for (const SpeedOverTime::Part& part : speed.parts) {
    rows.push_back({fmt::format("{:.1f}", part.from_s), std::to_string(part.runs),
                    fmt::format("{:.3f}", part.median_ms), fmt::format("{:.1f} %", 100 * part.speed)});
  }
  return text_table(rows) + line_of(fmt::format("the speed at the end is {:.1f} % of the speed at the start; "
                                                "the slowest part took {:.2f} times as long as the fastest",
                                                100 * speed.speed_at_end(), speed.slowest_to_fastest),
                                    columns);
}

}  // namespace tensordsl::cli
