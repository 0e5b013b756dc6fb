// The options of the commands that take a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/tensordsl/model/data_files.h"
#include "tensordsl/device.h"
#include "tensordsl/optimizations.h"

namespace CLI {
class App;
}

namespace tensordsl::cli {

struct ModelArguments {
  std::string model;
  bool random_weights = false;
  std::string precision;  // empty: fp32
  std::string weights;    // empty: as the precision says
  std::string device;
  std::string profile;
  std::vector<std::string> dims;       // NAME=NUMBER
  std::vector<std::string> constants;  // NAME=VALUE
  std::vector<std::string> states;     // INPUT=OUTPUT
  std::vector<std::string> pictures;   // NAME or NAME=MEAN:DEVIATION
  std::vector<std::string> params;     // NAME=NUMBER
  bool allow_narrowing = false;
  Optimizations optimizations;
  std::optional<std::int64_t> winograd_mib;
  bool tuned_schedules = true;
  std::string database;               // of tuning records
  Waiting waiting = Waiting::Driver;  // of commands that run
  Arrays arrays;                      // inputs that are given, and initializers as in ModelOptions
  bool json = false;
};

void add_model_options(CLI::App& app, ModelArguments& arguments);
/// Describes --device for commands that only compile.
void describe_aim(CLI::App& app);
/// Adds --param, for commands that run the model.
void add_param_option(CLI::App& app, ModelArguments& arguments);

/// Returns the options that say how to compile, each with its values, as texts that differ where these do.
std::vector<std::string> compile_options_of(const ModelArguments& arguments);
/// Checks that no option says how to compile; a package is compiled already, so it would have no effect.
/// Throws Error if there is one.
void check_no_compile_options(const ModelArguments& arguments);

}  // namespace tensordsl::cli
