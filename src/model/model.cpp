#include "tensordsl/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/text/printable.h"
#include "graph/report/emit_stage.h"
#include "graph/report/inspect_graph.h"
#include "ir/nodes/expr_node.h"
#include "model/constant_evaluator.h"
#include "model/find_states.h"
#include "model/interpret_nodes.h"
#include "model/node_outputs.h"
#include "model/options_of_target.h"
#include "model/take_pictures.h"
#include "onnx/define_graph.h"
#include "onnx/import_onnx.h"
#include "onnx/rewrite/clean_up.h"
#include "onnx/rewrite/narrow_doubles.h"
#include "package/package_format.h"
#include "package/package_index.h"
#include "runtime/memory/check_memory.h"
#include "tensordsl/error.h"
#include "tune/autoschedule_graph.h"
#include "tune/explain_kernels.h"

namespace tensordsl {

using definitions::DefinitionGraph;
using ops::TensorInfo;

struct Model::Impl {
  std::string operators;  // as text
  std::vector<ops::Node> nodes;
  std::vector<NodeOutput> node_outputs;
  DefinitionGraph graph;
  DefinitionGraph without_pictures;  // with the inputs and outputs that the file has
  std::vector<std::string> overridden, external_files, is_for_values;
  bool has_sizes_of_inputs = false;
  std::optional<std::string> double_tensor;  // one of f64
  std::optional<DefinitionGraph> narrowed;   // with f32 in place of f64, if that is allowed

  /// The graph that the target can compute.
  DefinitionGraph graph_for(const CompileTarget& target) const;
};

DefinitionGraph Model::Impl::graph_for(const CompileTarget& target) const {
  if (!double_tensor || (target.device && target.device->has_fp64)) return graph;
  if (narrowed) {
    DefinitionGraph result = *narrowed;
    result.warnings.push_back(fmt::format(
        "the tensor '{}' is f64 in the model, but is computed in f32{}", *double_tensor,
        target.device ? ", because the device has no f64 (cl_khr_fp64)" : ", because no device is given"));
    return result;
  }
  if (target.device) return graph;  // the host computes operators that the device cannot
  DefinitionGraph result = graph;
  result.warnings.push_back(fmt::format(
      "the tensor '{}' is f64: the kernels need a device with f64 (cl_khr_fp64)", *double_tensor));
  return result;
}

namespace {

/// Checks the size of the weights. Throws DeviceError if the device's memory is too small even for them.
void check_weights(const std::vector<TensorInfo>& weights, const ModelOptions& options) {
  constexpr std::int64_t kAlwaysFits = std::int64_t{1} << 30;
  std::vector<std::int64_t> allocations;
  std::vector<runtime::TensorMemory> tensors;
  std::int64_t sum = 0;
  for (TensorInfo weight : weights) {
    if (weight.type == Float(32) && options.precision == Precision::Float16) weight.type = Float(16);
    const std::int64_t bytes = checked_bytes(weight.type, weight.shape);
    allocations.push_back(bytes);
    tensors.push_back({weight.name, to_string(weight), bytes});
    sum += bytes;
  }
  if (sum > kAlwaysFits && options.device) runtime::check_memory(options.device(), allocations, tensors);
}

onnx::ImportOptions import_options(const ModelOptions& options, const onnx::Evaluator& evaluate) {
  onnx::ImportOptions result;
  result.random_weights = options.random_weights;
  result.dims = options.dims;
  result.initializers = options.initializers;
  result.constants = options.constants;
  result.inputs = options.inputs;
  result.untyped_inputs = options.untyped_inputs;
  result.operators = options.operators;
  result.evaluate = evaluate;
  result.before_weights = options.before_weights;
  result.check_initializers = [&options](const std::vector<TensorInfo>& weights) {
    check_weights(weights, options);
  };
  return result;
}

/// True for a file that starts as a package does, and a folder with a program.
bool is_package(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return std::filesystem::exists(path / kProgramName, error);
  std::ifstream file(path, std::ios::binary);
  std::string start(kPackageMagic.size(), '\0');
  return file.read(start.data(), std::ssize(start)) && start == kPackageMagic;
}

void check_is_no_package(const std::string& path) {
  if (!is_package(path)) return;
  throw ModelError(
      fmt::format("{}: this is a package, a model that is compiled already; `tensordsl run` and "
                  "read_package() read it, and tensordsl.load() in Python",
                  printable(path)));
}

/// Describes how the file's nodes became the graph of definitions.
Inspection::Pass import_pass(const std::vector<NodeOutput>& outputs, const Inspection::Pass::Size& imported) {
  using Fate = NodeOutput::Fate;
  Inspection::Pass pass{"import_onnx", false, {}, imported, {}};
  std::map<std::string, std::size_t> constants, unused;  // by operator
  for (const NodeOutput& output : outputs) {
    if (output.fate == Fate::Constant) ++constants[output.op];
    if (output.fate == Fate::Unused) ++unused[output.op];
    if (output.fate == Fate::Merged)
      pass.notes.push_back(
          fmt::format("%{} ({}) was merged with a node that reads it", output.name, output.op));
  }
  const auto add = [&](const std::map<std::string, std::size_t>& counts, const char* what) {
    for (const auto& [op, count] : counts) pass.notes.push_back(fmt::format("{} {}: {}", count, op, what));
  };
  add(constants, "computed once, when the model was loaded");
  add(unused, "not needed by any output");
  pass.before = {outputs.size(), imported.movements};
  return pass;
}

}  // namespace

Model Model::load(const std::string& path, const ModelOptions& options) {
  check_is_no_package(path);
  ConstantEvaluator evaluator(options);
  const onnx::Evaluator evaluate = [&](const ops::Node& node, const std::vector<const Buffer*>& inputs) {
    return evaluator.evaluate(node, inputs);
  };
  onnx::Graph graph = import_onnx(path, import_options(options, evaluate));
  const std::set<std::string> needed = needed_tensors(graph);
  clean_up(graph, evaluate);
  Impl contents;
  contents.operators = to_string(graph);
  contents.nodes = graph.nodes;
  contents.node_outputs = describe_node_outputs(graph, needed);
  contents.overridden = graph.overridden;
  contents.external_files = graph.external_files;
  contents.is_for_values = graph.is_for_values;
  contents.has_sizes_of_inputs = graph.has_sizes_of_inputs;
  contents.double_tensor = find_double(graph);
  try {
    if (contents.double_tensor && options.allow_narrowing)
      contents.narrowed = define_graph(narrow_doubles(graph));
    contents.graph = define_graph(std::move(graph));
    contents.graph.states = find_states(contents.graph, options.states);
    if (contents.narrowed) contents.narrowed->states = find_states(*contents.narrowed, options.states);
    complete_node_outputs(contents.node_outputs, contents.graph);
    contents.without_pictures = contents.graph;
    contents.graph = take_pictures(std::move(contents.graph), options.pictures);
    if (contents.narrowed) contents.narrowed = take_pictures(std::move(*contents.narrowed), options.pictures);
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("{}: {}", path, error.what()));
  }
  return Model(std::make_shared<const Impl>(std::move(contents)));
}

const std::vector<std::string>& Model::overridden() const { return impl_->overridden; }

const std::vector<std::string>& Model::external_files() const { return impl_->external_files; }

const std::vector<std::string>& Model::is_for_values() const { return impl_->is_for_values; }

bool Model::has_sizes_of_inputs() const { return impl_->has_sizes_of_inputs; }

const std::vector<std::string>& Model::warnings() const { return impl_->graph.warnings; }

std::vector<ModelTensor> Model::inputs() const {
  std::vector<ModelTensor> inputs;
  for (const std::size_t input : impl_->graph.inputs) {
    const definitions::DefinedTensor& tensor = impl_->graph.tensors[input];
    inputs.push_back({tensor.name, tensor.type(), tensor.shape});
  }
  return inputs;
}

std::vector<ModelTensor> Model::outputs() const {
  std::vector<ModelTensor> outputs;
  for (const DefinitionGraph::Output& output : impl_->graph.outputs) {
    const definitions::DefinedTensor& tensor = impl_->graph.tensors[output.tensor];
    outputs.push_back({output.name, tensor.type(), tensor.shape});
  }
  return outputs;
}

std::vector<Program::Param> Model::params() const {
  std::set<std::string> names;
  for (const ModelTensor& input : inputs()) {
    for (const Expr& extent : input.shape) {
      ir::visit(extent, [&](const Expr& e) {
        if (e->kind == ir::ExprKind::Var) names.insert(e->name);
        return true;
      });
    }
  }
  std::vector<Program::Param> params;
  for (const std::string& name : names) params.push_back({name, Int(32)});
  return params;
}

std::vector<NodeOutput> Model::node_outputs() const { return impl_->node_outputs; }

Model Model::with_outputs(const std::vector<std::string>& names) const {
  Impl contents = *impl_;
  contents.graph = tensordsl::with_outputs(std::move(contents.graph), names);
  if (contents.narrowed) contents.narrowed = tensordsl::with_outputs(std::move(*contents.narrowed), names);
  return Model(std::make_shared<const Impl>(std::move(contents)));
}

std::map<std::string, Buffer> Model::interpret(const std::map<std::string, Buffer>& inputs,
                                               const std::function<void(int, int)>& progress) const {
  if (const auto open = params(); !open.empty()) {
    throw Error(fmt::format(
        "interpret: the size \"{}\" is unknown; load the model with a value for it (ModelOptions::dims)",
        open[0].name));
  }
  return interpret_nodes(impl_->nodes, impl_->without_pictures, inputs, progress);
}

Program Model::compile(const CompileTarget& target) const {
  DefinitionGraph graph = impl_->graph_for(target);
  if (auto warning = database_warning(target)) graph.warnings.push_back(*std::move(warning));
  return graph::compile_graph(std::move(graph), options_of(target));
}

Program Model::autoschedule(const CompileTarget& target, const AutoscheduleOptions& options,
                            AutoscheduleReport* report) const {
  AutoscheduleReport unread;
  DefinitionGraph graph = impl_->graph_for(target);
  if (auto warning = database_warning(target)) graph.warnings.push_back(*std::move(warning));
  return tune::autoschedule(std::move(graph), options_of(target), profile_of(target), options,
                            report ? *report : unread);
}

std::string Model::explain(const CompileTarget& target, const std::string& filter) const {
  return tune::explain(impl_->graph_for(target), options_of(target), profile_of(target), filter);
}

Runner Model::run(Device& device, Precision precision, const ParamValues& params) const {
  CompileTarget target;
  target.device = device.info();
  target.precision = precision;
  try {
    return Runner(std::make_shared<const Program>(compile(target)), device, params);
  } catch (const WorkGroupError&) {
    target.max_group_size = [&](const KernelSource& kernel) { return device.max_group_size(kernel); };
    return Runner(std::make_shared<const Program>(compile(target)), device, params);
  }
}

Inspection Model::inspect(const CompileTarget& target) const {
  Inspection inspection = graph::inspect_graph(impl_->graph_for(target), options_of(target));
  std::map<std::string, const std::string*> texts;
  for (const NodeOutput& output : impl_->node_outputs) texts.emplace(output.name, &output.text);
  for (Inspection::Operator& op : inspection.operators) {
    if (const auto text = texts.find(op.output); text != texts.end()) op.text = *text->second;
  }
  const Inspection::Pass::Size imported = inspection.passes.front().before;
  inspection.passes.insert(inspection.passes.begin(), import_pass(impl_->node_outputs, imported));
  return inspection;
}

std::string Model::emit(const std::string& stage, const CompileTarget& target,
                        const std::string& filter) const {
  constexpr std::array kStages{"graph", "classes", "groups", "layouts", "funcs",
                               "nest",  "loops",   "ir",     "cl",      "program"};
  if (std::ranges::find(kStages, stage) == kStages.end()) {
    throw Error(
        fmt::format("emit: unknown stage \"{}\"; the stages are {}", stage, fmt::join(kStages, ", ")));
  }
  if (stage == "graph") return impl_->operators;
  if (stage == "program") return to_json(compile(target));
  return graph::emit_stage(impl_->graph_for(target), options_of(target), stage, filter);
}

}  // namespace tensordsl
