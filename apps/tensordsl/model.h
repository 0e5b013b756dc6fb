// What the commands that take a model share: options, loading, compiling, placing it on a device.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/model.h"

namespace CLI {
class App;
}

namespace tensordsl::cli {

struct ModelArguments {
  std::string model;
  bool random_weights = false;
  std::string precision = "fp32";
  std::string device;
  std::string profile;
  std::vector<std::string> dims;  // NAME=VALUE
  bool allow_narrowing = false;
  std::string inputs;  // an .npz with inputs, and with initializers that are inputs too
  bool json = false;
};

void add_model_options(CLI::App& app, ModelArguments& arguments);

/// `initializers`: see ModelOptions. Constants are computed on the device of the arguments, with progress on
/// stderr.
Model load_model_file(const ModelArguments& arguments, std::map<std::string, Buffer> initializers = {});

/// For the device, by the profile that is asked for.
CompileTarget compile_target(const ModelArguments& arguments, const std::optional<DeviceInfo>& device);

/// A model ready to run, and how long it took to get there.
struct LoadedModel {
  std::shared_ptr<Device> device;
  std::shared_ptr<const Program> program;
  std::unique_ptr<Runner> runner;
  std::map<std::string, Buffer> inputs;  // of the .npz, less those that the Program has as constants
  double import_seconds = 0;
  double compile_seconds = 0;
  double build_seconds = 0;
};

/// A model's file, or the folder of a Program. With progress on stderr.
LoadedModel load_model(const ModelArguments& arguments);

/// Every input of the model: those that are given, the others from the documented generator.
std::map<std::string, Buffer> model_inputs(const LoadedModel& model);

/// On stderr, a line for each.
void print_warnings(const Program& program);

}  // namespace tensordsl::cli
