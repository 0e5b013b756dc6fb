#include "apps/tensordsl/report/run_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/text_table.h"
#include "apps/tensordsl/report/speed_over_time.h"
#include "base/text/counted.h"

namespace tensordsl::cli {

using nlohmann::ordered_json;

namespace {

/// "row 3: 281 0.512345, 282 0.250000": the indices and values of its largest elements.
std::string batch_row_text(std::size_t row, const std::vector<Element>& largest) {
  std::string text = fmt::format("row {}:", row);
  for (const Element& element : largest)
    text += fmt::format("{} {} {}", &element == largest.data() ? "" : ",", element.index, element.text());
  return text;
}

}  // namespace

bool RunReport::holds() const {
  return std::all_of(checks.begin(), checks.end(), [](const Comparison& c) { return c.holds; });
}

ordered_json to_json(const RunReport& report, const LoadedModel& model) {
  const Program& program = *model.program;
  ordered_json json{{"model", report.model},
                    {"device", model.device->info().name},
                    {"precision", model.precision.empty() ? ordered_json() : ordered_json(model.precision)},
                    {"median_ms", quantile(report.times_ms, 0.5)},
                    {"runs", report.times_ms.size()},
                    {"warm_up_ms", report.warm_up_ms},
                    {"kernels", program.launches.size()},
                    {"distinct_kernels", program.kernels.size()},
                    {"compile_ms", model.compile_ms()},
                    {"lowered_earlier", model.is_kept},
                    {"build_ms", model.build_ms()},
                    {"inputs", ordered_json::object()},
                    {"outputs", ordered_json::object()},
                    {"checks", ordered_json::array()}};
  for (const Signature::Value& input : model.signature.inputs) {
    json["inputs"][input.name] = {{"shape", input.shape}, {"generated", !report.given.contains(input.name)}};
  }
  for (const auto& [name, value] : report.outputs) {
    const OutputSummary summary = summarize(value);
    ordered_json& entry = json["outputs"][name] = {{"shape", value.shape()}, {"nan", summary.nan}};
    for (const Element& element : summary.largest)
      entry["top5"].push_back({{"index", element.index}, {"value", element.json()}});
    for (const std::vector<Element>& row : summary.rows) {
      ordered_json largest = ordered_json::array();
      for (const Element& element : row)
        largest.push_back({{"index", element.index}, {"value", element.json()}});
      entry["top5_of_rows"].push_back(largest);
    }
  }
  for (const Comparison& c : report.checks) {
    json["checks"].push_back({{"output", c.output},
                              {"max_difference", json_number(c.max_difference)},
                              {"max_expected", json_number(c.max_expected)},
                              {"rtol", json_number(report.rtol)},
                              {"holds", c.holds}});
  }
  return json;
}

std::string to_text(const RunReport& report, const LoadedModel& model, std::optional<int> columns) {
  const Program& program = *model.program;
  std::string text = labeled("device", model.device->info().name, columns);
  for (const Signature::Value& input : model.signature.inputs) {
    const bool is_given = report.given.contains(input.name);
    text += labeled(
        "input", input_text(input, is_given ? "from " + report.inputs_file : "generated (--inputs gives it)"),
        columns);
  }
  for (const auto& [name, value] : report.outputs) {
    const OutputSummary summary = summarize(value);
    text += labeled("output",
                    fmt::format("{} [{}]{}", name, fmt::join(value.shape(), ", "),
                                summary.largest.empty() ? "" : "; index and value of the largest elements:"),
                    columns);
    for (const Element& element : summary.largest)
      text += fmt::format("         {:>6}  {}\n", element.index, element.text());
    for (std::size_t row = 0; row < summary.rows.size(); ++row)
      text += labeled("", batch_row_text(row, summary.rows[row]), columns);
    if (summary.rows_left > 0)
      text += labeled("", fmt::format("and {} more rows", summary.rows_left), columns);
    if (summary.nan > 0) {
      text += labeled(
          "NaN",
          fmt::format(
              "{} of {} elements of {} are NaN{}", summary.nan, value.elements(), name,
              summary.largest.empty() && summary.rows.empty() ? "" : "; they do not count for the largest"),
          columns);
    }
  }
  text += labeled("time",
                  fmt::format("{:.2f} ms per run (median of {}); the warm-up before it took {:.2f} ms",
                              quantile(report.times_ms, 0.5), report.times_ms.size(), report.warm_up_ms),
                  columns);
  text += labeled(
      "kernels",
      fmt::format("{} of {}; {}, built in {:.0f} ms", counted(program.launches.size(), "launch", "launches"),
                  counted(program.kernels.size(), "distinct kernel", "distinct kernels"),
                  model.lowering_text(), model.build_ms()),
      columns);
  if (!report.write_cl.empty()) text += labeled("files", report.write_cl, columns);
  if (!report.trace.empty()) {
    text += labeled("trace", report.trace + " (open it in ui.perfetto.dev or in chrome://tracing)", columns);
  }
  for (const Comparison& c : report.checks) {
    text += labeled("check",
                    fmt::format("{}: max |difference| {:.3g}, allowed {:.3g} ({:g} of {:.3g}): {}", c.output,
                                c.max_difference, report.rtol * c.max_expected, report.rtol, c.max_expected,
                                c.holds ? "ok" : "FAILED"),
                    columns);
  }
  return text;
}

std::vector<std::string> not_finite_warnings(const Arrays& inputs, const Arrays& outputs,
                                             const std::string& precision) {
  std::vector<std::string> warnings;
  const auto is_finite = [](const auto& input) { return count_not_finite(input.second).is_none(); };
  if (!std::all_of(inputs.begin(), inputs.end(), is_finite)) return warnings;
  for (const auto& [name, value] : outputs) {
    const NotFinite counts = count_not_finite(value);
    if (counts.is_none()) continue;
    warnings.push_back(fmt::format(
        "output {}: {} of {} elements, though all inputs are finite{}", name, counts.text(), value.elements(),
        precision == "fp16" ? "; numbers beyond 65504 are too large for fp16" : ""));
  }
  return warnings;
}

std::string input_text(const Signature::Value& input, const std::string& source) {
  return fmt::format("{} [{}]: {}", input.name, fmt::join(input.shape, ", "), source);
}

}  // namespace tensordsl::cli
