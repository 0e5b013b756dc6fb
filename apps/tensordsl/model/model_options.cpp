#include "apps/tensordsl/model/model_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <variant>

#include "apps/tensordsl/console/files.h"
#include "hwprofile/bundled_profiles.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

/// A pointer to the value of an option.
using Field =
    std::variant<bool ModelArguments::*, bool Optimizations::*, std::string ModelArguments::*,
                 std::vector<std::string> ModelArguments::*, std::optional<std::int64_t> ModelArguments::*>;

enum class Says { HowToCompile, HowToRun };

struct ModelOption {
  const char* name;
  Field field;
  Says says;
  std::string text;
  CLI::Validator check{};
};

/// "adreno630, adreno640, .."
std::string bundled_names() {
  std::string names;
  for (const hwprofile::BundledProfile& profile : hwprofile::bundled_profiles())
    names.append(names.empty() ? "" : ", ").append(profile.name);
  return names;
}

const std::vector<ModelOption>& model_options() {
  using enum Says;
  static const std::vector<ModelOption> options{
      {"--random-weights", &ModelArguments::random_weights, HowToCompile,
       "fill weights whose external file is missing with random values, as models/fill_weights.py does"},
      {"--precision", &ModelArguments::precision, HowToCompile,
       "storage type of tensors (default: fp32). Arithmetic is in fp32; with fp16, sums may be in fp16 (see "
       "--no-half-sums)",
       CLI::IsMember({"fp32", "fp16"})},
      {"--weights", &ModelArguments::weights, HowToCompile,
       "storage type of the weights of matrix products (default: that of --precision): int8 with a scale per "
       "output, or int4 with a scale per 32 weights",
       CLI::IsMember({"int8", "int4"})},
      {"--device", &ModelArguments::device, HowToRun,
       "gpu, cpu, host (this machine's processor, without OpenCL), PLATFORM:DEVICE, or a part of a device's "
       "name; default: TENSORDSL_DEVICE, else the first GPU, else the first device",
       CLI::Validator(NotEmpty("a device"), "")},
      {"--profile", &ModelArguments::profile, HowToCompile,
       "hardware profile that schedules are chosen by: a file that 'tensordsl profile' wrote, or a bundled "
       "one: " +
           bundled_names()},
      {"--dim", &ModelArguments::dims, HowToCompile, "size of a symbolic dimension: NAME=NUMBER"},
      {"--constant", &ModelArguments::constants, HowToCompile,
       "make an input with one element or one dimension a constant: NAME=VALUE"},
      {"--state", &ModelArguments::states, HowToCompile,
       "keep an input on the device from run to run; in the next run it has the value of this output: "
       "INPUT=OUTPUT"},
      {"--picture", &ModelArguments::pictures, HowToCompile,
       "make an input or output an RGBA image of bytes, with values (byte/255 - MEAN)/DEVIATION per channel: "
       "NAME or NAME=MEAN:DEVIATION"},
      {"--allow-narrowing", &ModelArguments::allow_narrowing, HowToCompile,
       "compute a model's f64 as f32 if the device has no f64 or is not known"},
      {"--no-lte", &Optimizations::movement_elimination, HowToCompile,
       "no elimination of layout transformations (LTE): keep transposes, slices and reshapes as kernels"},
      {"--no-fusion", &Optimizations::fusion, HowToCompile, "compute every operator in a kernel of its own"},
      {"--no-layout-selection", &Optimizations::layout_selection, HowToCompile,
       "store every tensor in row-major order"},
      {"--no-memory-plan", &Optimizations::memory_plan, HowToCompile, "give every tensor its own memory"},
      {"--no-winograd", &Optimizations::winograd, HowToCompile, "compute 3x3 convolutions without Winograd"},
      {"--no-half-sums", &Optimizations::half_sums, HowToCompile,
       "with fp16, accumulate in fp32 even if the profile says that fp16 is faster"},
      {"--winograd-memory", &ModelArguments::winograd_mib, HowToCompile,
       "memory in MiB that transformed weights of 3x3 convolutions may add; default: as much as makes the "
       "model faster",
       CLI::Range(0, 1 << 20)},
      {"--no-tuned", &ModelArguments::tuned_schedules, HowToCompile,
       "do not use the tuned schedules that come with tensordsl"},
      {"--db", &ModelArguments::database, HowToCompile,
       "use the fastest schedules of a database that autoschedule wrote, where it has records of this "
       "device, driver and version of tensordsl"},
      {"--json", &ModelArguments::json, HowToRun, "print the result as JSON"}};
  return options;
}

template <typename Arguments>
auto& at(Arguments& arguments, bool Optimizations::*field) {
  return arguments.optimizations.*field;
}

template <typename Arguments, typename Value>
auto& at(Arguments& arguments, Value ModelArguments::*field) {
  return arguments.*field;
}

void add(CLI::App& app, const ModelOption& option, bool& value) {
  app.add_flag_callback(
      option.name, [&value, given = !value] { value = given; }, option.text);
}

template <typename Value>
void add(CLI::App& app, const ModelOption& option, Value& value) {
  app.add_option(option.name, value, option.text)->check(option.check);
}

std::vector<std::string> values_of(bool value) { return {value ? "true" : "false"}; }
std::vector<std::string> values_of(const std::string& value) { return {value}; }
std::vector<std::string> values_of(const std::vector<std::string>& values) { return values; }
std::vector<std::string> values_of(const std::optional<std::int64_t>& value) {
  return value ? std::vector{fmt::format("{}", *value)} : std::vector<std::string>{};
}

std::vector<std::string> values_of(const ModelOption& option, const ModelArguments& arguments) {
  return std::visit([&](auto field) { return values_of(at(arguments, field)); }, option.field);
}

}  // namespace

void add_model_options(CLI::App& app, ModelArguments& arguments) {
  app.add_option("MODEL", arguments.model, "the ONNX model")->required()->check(NotEmpty("a file's name"));
  for (const ModelOption& option : model_options())
    std::visit([&](auto field) { add(app, option, at(arguments, field)); }, option.field);
}

void describe_aim(CLI::App& app) {
  app.get_option("--device")
      ->description(
          "target of the kernels: gpu, cpu, host, PLATFORM:DEVICE, a part of a device's name, or none for "
          "any device");
}

void add_param_option(CLI::App& app, ModelArguments& options) {
  app.get_option("MODEL")->description(
      "the ONNX model, a package (NAME.tdsl or a folder), or NAME.json of a generator");
  app.add_option("--param", options.params, "value of a Param of a Program: NAME=NUMBER");
  static const std::map<std::string, Waiting> ways{
      {"driver", Waiting::Driver}, {"sleep", Waiting::Sleeping}, {"spin", Waiting::Spinning}};
  app.add_option_function<std::string>(
         "--wait", [&options](const std::string& way) { options.waiting = ways.at(way); },
         "how to wait for the device: \"driver\" leaves it to the driver, \"sleep\" saves power, \"spin\" "
         "has the lowest latency")
      ->check(CLI::Validator(CLI::IsMember({"driver", "sleep", "spin"}), ""))
      ->type_name("driver|sleep|spin");
}

std::vector<std::string> compile_options_of(const ModelArguments& arguments) {
  std::vector<std::string> texts;
  for (const ModelOption& option : model_options()) {
    if (option.says != Says::HowToCompile) continue;
    const std::vector<std::string> values = values_of(option, arguments);
    texts.push_back(fmt::format("{} {}", option.name, values.size()));
    texts.insert(texts.end(), values.begin(), values.end());
  }
  return texts;
}

void check_no_compile_options(const ModelArguments& arguments) {
  for (const ModelOption& option : model_options()) {
    if (option.says != Says::HowToCompile || values_of(option, arguments) == values_of(option, {})) continue;
    throw Error(fmt::format("{}: {} is already compiled; drop this option", option.name, arguments.model));
  }
}

}  // namespace tensordsl::cli
