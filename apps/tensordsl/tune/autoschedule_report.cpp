#include "apps/tensordsl/tune/autoschedule_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "apps/tensordsl/console/text_table.h"
#include "apps/tensordsl/console/time_text.h"
#include "tune/tuning_totals.h"

namespace tensordsl::cli {
namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

nlohmann::ordered_json optional_number(const std::optional<double>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

bool is_above_roofline(const AutoscheduledKernel& kernel) {
  return std::round(100 * share(kernel.floor_us, tune::reported_us(kernel))) > 100;
}

std::vector<std::string> row_of(const AutoscheduledKernel& kernel, const tune::TuningTotals& totals) {
  const double us = tune::reported_us(kernel);
  const bool is_summed = us > 0 && totals.includes(kernel);
  return {
      shortened_in_middle(kernel.kernel, 40),
      std::to_string(kernel.launches),
      kernel.strategy,
      us > 0 ? microseconds_text(us) : "",
      kernel.us ? "timed" : "predicted",
      us > 0 && kernel.flops > 0 ? fmt::format("{:.1f}", static_cast<double>(kernel.flops) * 1e-3 / us) : "",
      us > 0 ? fmt::format("{:.0f} %", 100 * kernel.floor_us / us) : "",
      is_summed ? fmt::format("{:.1f} %", 100 * share(us * kernel.launches, totals.us)) : "",
      is_summed && !kernel.first.empty() ? fmt::format("{:.2f}", tune::reported_first_us(kernel) / us) : ""};
}

}  // namespace

nlohmann::ordered_json to_json(const AutoscheduleReport& report) {
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const AutoscheduledKernel& k : report.kernels) {
    kernels.push_back({{"kernel", k.kernel},
                       {"operators", k.operators},
                       {"launches", k.launches},
                       {"strategy", k.strategy},
                       {"point", k.point},
                       {"first", k.first},
                       {"predicted_us", k.predicted_us},
                       {"first_predicted_us", k.first_predicted_us},
                       {"us", optional_number(k.us)},
                       {"first_us", optional_number(k.first_us)},
                       {"flops", k.flops},
                       {"floor_us", k.floor_us},
                       {"timed", k.timed},
                       {"known", k.known},
                       {"failures", k.failures},
                       {"suspicion", k.suspicion}});
  }
  nlohmann::ordered_json choices = nlohmann::ordered_json::array();
  for (const AutoscheduledChoice& choice : report.choices) {
    choices.push_back({{"operators", choice.operators},
                       {"whole_us", choice.whole_us},
                       {"apart_us", choice.apart_us},
                       {"is_apart", choice.is_apart}});
  }
  return {{"kernels", kernels},
          {"choices", choices},
          {"guessed", report.guessed},
          {"trials", report.trials},
          {"was_stopped", report.was_stopped}};
}

std::string to_text(const AutoscheduleReport& report) {
  if (report.kernels.empty()) return "no kernel has a schedule: there is nothing to compute on a device\n";
  const tune::TuningTotals totals = tune::totals_of(report);
  std::vector<std::vector<std::string>> rows{
      {"kernel", "launches", "strategy", "us", "source", "GFLOPS", "roofline", "time", "gain"}};
  for (const AutoscheduledKernel& kernel : report.kernels) rows.push_back(row_of(kernel, totals));
  std::string text = text_table(rows);
  text += fmt::format("{}: {} ms, {:.2f} times as fast as the first choice\n", totals.title(),
                      milliseconds_text(totals.us * 1e-3), share(totals.first_us, totals.us));
  if (totals.is_timed) {
    text +=
        "a kernel is timed alone, also in the database and the page; `tensordsl bench` times it among the "
        "others of a run\n";
  }
  if (std::ranges::any_of(report.kernels, is_above_roofline)) {
    text +=
        "a share of the roofline above 100 % says that the profile's figures are too low for the device: "
        "they are guesses, or were measured while the machine was busy\n";
  }
  if (!report.choices.empty()) {
    std::vector<std::vector<std::string>> choices{{"computed otherwise", "us", "otherwise", "taken"}};
    for (const AutoscheduledChoice& choice : report.choices) {
      choices.push_back({choice.operators, microseconds_text(choice.whole_us),
                         microseconds_text(choice.apart_us), choice.is_apart ? "otherwise" : ""});
    }
    text += text_table(choices);
  }
  if (!report.guessed.empty() && !totals.is_timed)
    text +=
        fmt::format("the profile does not have {}; these are estimates\n", fmt::join(report.guessed, ", "));
  for (const AutoscheduledKernel& k : report.kernels) {
    if (!k.suspicion.empty()) {
      text += fmt::format(
          "{}: no schedule was chosen by trial, because the results of all of them differ from the "
          "definitions: {}\n",
          k.kernel, k.suspicion);
    }
    for (const std::string& failure : k.failures)
      text += fmt::format("{}: left out: {}\n", k.kernel, failure);
  }
  return text;
}

}  // namespace tensordsl::cli
