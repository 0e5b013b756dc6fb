#include "apps/tensordsl/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "apps/tensordsl/progress.h"
#include "runtime/npz.h"
#include "tensordsl/default_input.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {

using std::chrono::duration;
using std::chrono::steady_clock;

namespace {

double seconds_since(steady_clock::time_point start) {
  return duration<double>(steady_clock::now() - start).count();
}

std::map<std::string, std::int64_t> parse_dims(const std::vector<std::string>& dims) {
  std::map<std::string, std::int64_t> values;
  for (const std::string& dim : dims) {
    const auto cut = dim.rfind('=');
    std::int64_t value = 0;
    const char* end = dim.data() + dim.size();
    const bool has_value = cut != std::string::npos && cut > 0 && cut + 1 < dim.size();
    const auto parsed = has_value ? std::from_chars(dim.data() + cut + 1, end, value)
                                  : std::from_chars_result{end, std::errc::invalid_argument};
    if (parsed.ec != std::errc{} || parsed.ptr != end) {
      throw Error(fmt::format("--dim {}: expected NAME=NUMBER, as in --dim batch=1", dim));
    }
    if (!values.emplace(dim.substr(0, cut), value).second) {
      throw Error(fmt::format("--dim {}: {} has a size already; give each once", dim, dim.substr(0, cut)));
    }
  }
  return values;
}

}  // namespace

void add_model_options(CLI::App& app, ModelArguments& options) {
  app.add_option("MODEL", options.model, "the ONNX model")->required();
  app.add_flag("--random-weights", options.random_weights,
               "fill weights whose external file is absent as models/fill_weights.py does");
  app.add_option("--precision", options.precision, "how tensors are stored; arithmetic is always fp32")
      ->check(CLI::IsMember({"fp32", "fp16"}));
  app.add_option("--device", options.device, "gpu, cpu, PLATFORM:DEVICE or a part of a device's name");
  app.add_option(
      "--profile", options.profile,
      "what schedules go by: a profile that 'tensordsl profile' wrote, or the name of a bundled one");
  app.add_option("--dim", options.dims, "size of a symbolic dimension: NAME=NUMBER");
  app.add_flag("--allow-narrowing", options.allow_narrowing,
               "compute a model's f64 in f32 where the device has no f64, or is not known");
  app.add_flag("--json", options.json, "print the result as JSON");
}

Model load_model_file(const ModelArguments& arguments, std::map<std::string, Buffer> initializers) {
  Progress progress("computing constants");
  ModelOptions options;
  options.random_weights = arguments.random_weights;
  options.dims = parse_dims(arguments.dims);
  options.allow_narrowing = arguments.allow_narrowing;
  options.initializers = std::move(initializers);
  options.folding_device = [&]() -> std::shared_ptr<Device> {
    return Device::list().empty() ? nullptr : Device::open(arguments.device);
  };
  options.folding_progress = [&](int done, int total) { progress.update(done, total); };
  return Model::load(arguments.model, options);
}

CompileTarget compile_target(const ModelArguments& arguments, const std::optional<DeviceInfo>& device) {
  CompileTarget target;
  target.precision = arguments.precision == "fp16" ? Precision::Float16 : Precision::Float32;
  target.device = device;
  try {
    if (!arguments.profile.empty()) target.profile = load_hw_profile(arguments.profile);
  } catch (const Error& error) {
    throw Error(fmt::format("--profile: {}", error.what()));
  }
  return target;
}

LoadedModel load_model(const ModelArguments& arguments) {
  LoadedModel loaded;
  auto start = steady_clock::now();
  loaded.device = Device::open(arguments.device);
  if (!arguments.inputs.empty()) loaded.inputs = read_npz(arguments.inputs);
  if (std::filesystem::is_directory(arguments.model)) {
    loaded.program = std::make_shared<const Program>(read_program(arguments.model));
    loaded.import_seconds = seconds_since(start);
  } else {
    const Model model = load_model_file(arguments, loaded.inputs);
    for (const std::string& initializer : model.overridden()) loaded.inputs.erase(initializer);
    loaded.import_seconds = seconds_since(start);
    start = steady_clock::now();
    CompileTarget target = compile_target(arguments, loaded.device->info());
    Progress progress("lowering");
    target.progress = [&](int done, int total) { progress.update(done, total); };
    loaded.program = std::make_shared<const Program>(model.compile(target));
    loaded.compile_seconds = seconds_since(start);
    print_warnings(*loaded.program);
  }
  start = steady_clock::now();
  Progress progress("building kernels");
  loaded.runner = std::make_unique<Runner>(loaded.program, *loaded.device, ParamValues{},
                                           [&](int done, int total) { progress.update(done, total); });
  loaded.build_seconds = seconds_since(start);
  return loaded;
}

std::map<std::string, Buffer> model_inputs(const LoadedModel& model) {
  std::map<std::string, Buffer> inputs = model.inputs;
  for (const Program::Value& value : model.program->inputs) {
    if (!inputs.contains(value.name)) inputs[value.name] = default_input(value);
    // NumPy's numbers are doubles unless told otherwise.
    Buffer& input = inputs[value.name];
    if (input.type() == Float(64) && value.type == Float(32)) input = input.converted(Float(32));
  }
  return inputs;
}

void print_warnings(const Program& program) {
  for (const std::string& warning : program.warnings) fmt::print(stderr, "warning: {}\n", warning);
}

}  // namespace tensordsl::cli
