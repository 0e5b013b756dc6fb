#include "apps/tensordsl/tune/autoschedule_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/tensordsl/console/text_table.h"

namespace tensordsl::cli {
namespace {

/// Returns the measured time if there is one, else the predicted one.
double time_of(const AutoscheduledKernel& kernel) { return kernel.us.value_or(kernel.predicted_us); }

double first_time_of(const AutoscheduledKernel& kernel) {
  return kernel.us ? kernel.first_us.value_or(*kernel.us) : kernel.first_predicted_us;
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

nlohmann::ordered_json optional_number(const std::optional<double>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
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
  double whole = 0, whole_first = 0;
  bool is_timed = false;
  for (const AutoscheduledKernel& k : report.kernels) {
    whole += time_of(k) * k.launches;
    whole_first += first_time_of(k) * k.launches;
    is_timed = is_timed || k.us;
  }
  std::vector<std::vector<std::string>> rows{{"kernel", "launches", "strategy",
                                              is_timed ? "us" : "predicted us", "GFLOPS", "roofline", "time",
                                              "gain"}};
  for (const AutoscheduledKernel& k : report.kernels) {
    const double us = time_of(k);
    rows.push_back({shortened_in_middle(k.kernel, 40), std::to_string(k.launches), k.strategy,
                    fmt::format("{:.1f}", us),
                    k.flops > 0 ? fmt::format("{:.1f}", share(static_cast<double>(k.flops) * 1e-3, us)) : "",
                    fmt::format("{:.0f} %", 100 * share(k.floor_us, us)),
                    fmt::format("{:.1f} %", 100 * share(us * k.launches, whole)),
                    k.first.empty() ? "" : fmt::format("{:.2f}", share(first_time_of(k), us))});
  }
  std::string text = text_table(rows);
  text += fmt::format("all {:.2f} ms{}, {:.2f} times as fast as the first choice\n", whole * 1e-3,
                      is_timed ? "" : ", predicted", share(whole_first, whole));
  if (!report.choices.empty()) {
    std::vector<std::vector<std::string>> choices{{"computed otherwise", "us", "otherwise", "taken"}};
    for (const AutoscheduledChoice& choice : report.choices) {
      choices.push_back({choice.operators, fmt::format("{:.1f}", choice.whole_us),
                         fmt::format("{:.1f}", choice.apart_us), choice.is_apart ? "otherwise" : ""});
    }
    text += text_table(choices);
  }
  if (!report.guessed.empty() && !is_timed)
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
