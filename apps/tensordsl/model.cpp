#include "apps/tensordsl/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <range/v3/view/enumerate.hpp>

#include "apps/tensordsl/progress.h"
#include "graph/simplify_graph.h"
#include "onnx/clean_up.h"
#include "onnx/define_graph.h"
#include "onnx/evaluate_node.h"
#include "onnx/import_onnx.h"
#include "onnx/random_weights.h"
#include "runtime/npz.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {

using nlohmann::ordered_json;
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

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(fmt::format("cannot write {}", path.string()));
}

const char* name_of(PlannedBuffer::Kind kind) {
  switch (kind) {
    case PlannedBuffer::Kind::Input:
      return "input";
    case PlannedBuffer::Kind::Output:
      return "output";
    case PlannedBuffer::Kind::Constant:
      return "constant";
    case PlannedBuffer::Kind::Intermediate:
      return "intermediate";
  }
  return "?";
}

}  // namespace

void add_model_options(CLI::App& app, ModelOptions& options) {
  app.add_option("MODEL", options.model, "the ONNX model")->required();
  app.add_flag("--random-weights", options.random_weights,
               "fill weights whose external file is absent as models/fill_weights.py does");
  app.add_option("--precision", options.precision, "how tensors are stored; arithmetic is always fp32")
      ->check(CLI::IsMember({"fp32", "fp16"}));
  app.add_option("--device", options.device, "gpu, cpu, PLATFORM:DEVICE or a part of a device's name");
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

DefinitionGraph load_definitions(const ModelOptions& options) {
  return simplify_graph(define_graph(load_graph(options)));
}

Precision precision_of(const ModelOptions& options) {
  return options.precision == "fp16" ? Precision::Float16 : Precision::Float32;
}

CompileOptions compile_options(const ModelOptions& options, const DeviceInfo& device) {
  CompileOptions compile;
  compile.precision = precision_of(options);
  compile.target = target_of(device);
  return compile;
}

LoadedModel load_model(const ModelOptions& options) {
  LoadedModel loaded;
  auto start = steady_clock::now();
  const std::shared_ptr<Device> device = Device::open(options.device);
  const DefinitionGraph graph = load_definitions(options);
  loaded.import_seconds = seconds_since(start);
  start = steady_clock::now();
  CompileOptions compile = compile_options(options, device->info());
  CompiledGraph compiled;
  {
    Progress progress("lowering");
    compile.progress = [&](int done, int total) { progress.update(done, total); };
    compiled = compile_graph(graph, compile);
  }
  loaded.compile_seconds = seconds_since(start);
  start = steady_clock::now();
  Progress progress("building kernels");
  loaded.executor = std::make_unique<Executor>(graph, std::move(compiled), device,
                                               [&](int done, int total) { progress.update(done, total); });
  loaded.build_seconds = seconds_since(start);
  return loaded;
}

std::map<std::string, Buffer> model_inputs(const CompiledGraph& model, const std::string& given) {
  std::map<std::string, Buffer> inputs;
  if (!given.empty()) inputs = read_npz(given);
  for (const auto& [name, buffer] : model.inputs) {
    const TensorInfo& info = model.infos.at(name);
    if (!inputs.contains(name)) inputs[name] = default_input(info);
    // NumPy's numbers are doubles unless told otherwise.
    Buffer& input = inputs[name];
    if (input.type() == Float(64) && info.type == Float(32)) input = input.converted(Float(32));
  }
  return inputs;
}

void write_compiled(const CompiledGraph& compiled, const std::string& folder) {
  const std::filesystem::path root(folder);
  std::error_code error;
  std::filesystem::create_directories(root, error);
  if (error) throw Error(fmt::format("cannot make the folder {}: {}", folder, error.message()));
  ordered_json kernels = ordered_json::array();
  for (const auto& [k, source] : ranges::views::enumerate(compiled.kernels)) {
    const std::string file = fmt::format("{:03}_{}.cl", k, source.entry);
    write_text(root / file, source.text);
    ordered_json entry = ordered_json::parse(to_json(source));
    entry["file"] = file;
    kernels.push_back(std::move(entry));
  }
  ordered_json buffers = ordered_json::array();
  for (const PlannedBuffer& b : compiled.buffers) {
    std::vector<std::string> dims;
    for (std::size_t d = 0; d < b.stored.extents.size(); ++d) dims.push_back(fmt::format("d{}", d));
    ordered_json entry{{"kind", name_of(b.kind)},          {"tensor", b.tensor},
                       {"type", to_string(b.stored.type)}, {"bytes", b.bytes},
                       {"shape", b.stored.shape()},        {"layout", b.stored.layout.to_string(dims)}};
    if (b.slot >= 0) entry["slot"] = b.slot;
    buffers.push_back(std::move(entry));
  }
  ordered_json launches = ordered_json::array();
  for (const PlannedLaunch& l : compiled.launches) {
    launches.push_back(
        {{"kernel", l.kernel}, {"buffers", l.buffers}, {"groups", l.groups}, {"operators", l.label}});
  }
  write_text(root / "manifest.json", ordered_json{{"kernels", kernels}}.dump(2) + "\n");
  write_text(root / "plan.json", ordered_json{{"inputs", compiled.inputs},
                                              {"outputs", compiled.outputs},
                                              {"buffers", buffers},
                                              {"slot_bytes", compiled.slot_bytes},
                                              {"launches", launches}}
                                         .dump(2) +
                                     "\n");
}

}  // namespace tensordsl::cli
