// Prints the results of `tensordsl run`.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/tensordsl/model/loaded_model.h"
#include "apps/tensordsl/report/compare_outputs.h"
#include "apps/tensordsl/report/output_summary.h"

namespace tensordsl::cli {

struct RunReport {
  std::string model, inputs_file, write_cl, trace;  // the values of the options
  double rtol = 0;
  double warm_up_ms = 0;
  std::vector<double> times_ms;  // of the runs after it
  Arrays given;                  // inputs that are not generated
  Arrays outputs;
  std::vector<Comparison> checks;

  bool holds() const;
};

nlohmann::ordered_json to_json(const RunReport& report, const LoadedModel& model);

/// Formats the report as text. `columns`: the width of the terminal at which lines are wrapped; nullopt if
/// the output is not a terminal.
std::string to_text(const RunReport& report, const LoadedModel& model, std::optional<int> columns);

/// Returns a warning for each output with infinities or NaN, if no input has any.
std::vector<std::string> not_finite_warnings(const Arrays& inputs, const Arrays& outputs,
                                             const std::string& precision);

/// "x: generated", for an input that no file gives: a report says so.
std::string input_text(const Signature::Value& input, const std::string& source);

}  // namespace tensordsl::cli
