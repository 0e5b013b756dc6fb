#include "apps/tensordsl/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/tensordsl/progress.h"
#include "hwprofile/bundled_profiles.h"
#include "hwprofile/probes/derived_profile.h"
#include "onnx/clean_up.h"
#include "onnx/define_graph.h"
#include "onnx/evaluate_node.h"
#include "onnx/import_onnx.h"
#include "onnx/random_weights.h"
#include "runtime/evaluate.h"
#include "runtime/npz.h"
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

/// A file, or one of the profiles that come with the library.
HwProfile load_profile(const std::string& name) {
  for (const hwprofile::BundledProfile& bundled : hwprofile::bundled_profiles()) {
    if (bundled.name == name) return hw_profile_from_json(bundled.json);
  }
  std::ifstream file(name, std::ios::binary);
  if (!file) {
    std::vector<std::string> names;
    for (const hwprofile::BundledProfile& bundled : hwprofile::bundled_profiles())
      names.emplace_back(bundled.name);
    throw Error(fmt::format("--profile {}: it is neither a file that can be read nor one of {}", name,
                            fmt::join(names, ", ")));
  }
  std::ostringstream text;
  text << file.rdbuf();
  return hw_profile_from_json(text.str());
}

}  // namespace

void add_model_options(CLI::App& app, ModelOptions& options) {
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
  app.add_flag("--json", options.json, "print the result as JSON");
}

Graph load_graph(const ModelOptions& options) {
  ImportOptions import;
  import.random_weights = options.random_weights;
  import.dims = parse_dims(options.dims);
  import.evaluate = evaluate_node;
  Graph graph = import_onnx(options.model, import);
  clean_up(graph, evaluate_node);
  return graph;
}

CompileOptions compile_options(const ModelOptions& options, const std::optional<DeviceInfo>& device) {
  CompileOptions compile;
  compile.precision = options.precision == "fp16" ? Precision::Float16 : Precision::Float32;
  compile.device = device;
  if (!options.profile.empty()) {
    compile.target =
        schedules::target_of(load_profile(options.profile), device ? device->max_group_size : 64);
  } else if (device) {
    compile.target = schedules::target_of(hwprofile::derived_profile(*device), device->max_group_size);
  }
  return compile;
}

LoadedModel load_model(const ModelOptions& options) {
  LoadedModel loaded;
  auto start = steady_clock::now();
  loaded.device = Device::open(options.device);
  if (std::filesystem::is_directory(options.model)) {
    loaded.program = std::make_shared<const Program>(read_program(options.model));
    loaded.import_seconds = seconds_since(start);
  } else {
    Graph graph = load_graph(options);
    loaded.import_seconds = seconds_since(start);
    start = steady_clock::now();
    CompileOptions compile = compile_options(options, loaded.device->info());
    Progress progress("lowering");
    compile.progress = [&](int done, int total) { progress.update(done, total); };
    loaded.program = std::make_shared<const Program>(compile_graph(define_graph(std::move(graph)), compile));
    loaded.compile_seconds = seconds_since(start);
  }
  start = steady_clock::now();
  Progress progress("building kernels");
  loaded.runner = std::make_unique<Runner>(loaded.program, *loaded.device, ParamValues{},
                                           [&](int done, int total) { progress.update(done, total); });
  loaded.build_seconds = seconds_since(start);
  return loaded;
}

std::map<std::string, Buffer> model_inputs(const Program& program, const std::string& given) {
  std::map<std::string, Buffer> inputs;
  if (!given.empty()) inputs = read_npz(given);
  for (const Program::Value& value : program.inputs) {
    TensorInfo info{value.name, value.type, {}};
    for (const Expr& extent : value.shape) info.shape.push_back(evaluate(extent, {}));
    if (!inputs.contains(value.name)) inputs[value.name] = default_input(info);
    // NumPy's numbers are doubles unless told otherwise.
    Buffer& input = inputs[value.name];
    if (input.type() == Float(64) && info.type == Float(32)) input = input.converted(Float(32));
  }
  return inputs;
}

}  // namespace tensordsl::cli
