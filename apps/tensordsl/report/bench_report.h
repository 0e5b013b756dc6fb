// Prints the results of `tensordsl bench`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/tensordsl/model/loaded_model.h"
#include "apps/tensordsl/report/speed_over_time.h"

namespace tensordsl::cli {

struct BenchReport {
  std::string model;
  double seconds = 0;  ///< requested duration; 0 if the number of runs was given
  std::vector<TimedRun> runs;
  std::vector<std::vector<double>> kernel_ms;  ///< times of each launch, from the device's events
  double fma_peak_gflops = 0;
};

nlohmann::ordered_json to_json(const BenchReport& report, const LoadedModel& model);

/// Formats the report as text, in lines that are not wider than the terminal. `columns`: its width; nullopt
/// if the output is not a terminal.
std::string to_text(const BenchReport& report, const LoadedModel& model, std::optional<int> columns);

/// Returns the lines about the speed as a share of the measured peak. A speed above the peak is not told as a
/// share; a note gives the reasons.
std::vector<std::string> peak_lines(double gflops, double peak_gflops);

/// Returns a line of the table of kernels: times, and as much of the name as there is room for.
std::string kernel_line(double ms, double gflops, const std::string& name, std::optional<int> columns);

/// Returns the parts of the time as a table, and its conclusion.
std::string to_text(const SpeedOverTime& speed, std::optional<int> columns);

}  // namespace tensordsl::cli
