#include "tensordsl/model.h"

#include "graph/compile_graph.h"
#include "hwprofile/probes/derived_profile.h"
#include "onnx/clean_up.h"
#include "onnx/define_graph.h"
#include "onnx/evaluate_node.h"
#include "onnx/import_onnx.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

CompileOptions options_of(const CompileTarget& target) {
  CompileOptions options;
  options.precision = target.precision;
  options.device = target.device;
  options.threads = target.threads;
  options.progress = target.progress;
  const std::int64_t group_size = target.device ? target.device->max_group_size : 64;
  if (target.profile) {
    options.target = schedules::target_of(*target.profile, group_size);
  } else if (target.device) {
    options.target = schedules::target_of(hwprofile::derived_profile(*target.device), group_size);
  }
  return options;
}

}  // namespace

struct Model::Contents {
  std::string operators;  // as text
  DefinitionGraph graph;
};

Model Model::load(const std::string& path, const ModelOptions& options) {
  ImportOptions import;
  import.random_weights = options.random_weights;
  import.dims = options.dims;
  import.evaluate = evaluate_node;
  Graph graph = import_onnx(path, import);
  clean_up(graph, evaluate_node);
  std::string operators = to_string(graph);
  return Model(
      std::make_shared<const Contents>(Contents{std::move(operators), define_graph(std::move(graph))}));
}

std::vector<ModelTensor> Model::inputs() const {
  std::vector<ModelTensor> inputs;
  for (const std::size_t input : contents_->graph.inputs) {
    const DefinedTensor& tensor = contents_->graph.tensors[input];
    inputs.push_back({tensor.name, tensor.type(), tensor.shape});
  }
  return inputs;
}

std::vector<ModelTensor> Model::outputs() const {
  std::vector<ModelTensor> outputs;
  for (const DefinitionGraph::Output& output : contents_->graph.outputs) {
    const DefinedTensor& tensor = contents_->graph.tensors[output.tensor];
    outputs.push_back({output.name, tensor.type(), tensor.shape});
  }
  return outputs;
}

Program Model::compile(const CompileTarget& target) const {
  return compile_graph(contents_->graph, options_of(target));
}

Runner Model::run(Device& device, Precision precision) const {
  CompileTarget target;
  target.device = device.info();
  target.precision = precision;
  return Runner(std::make_shared<const Program>(compile(target)), device);
}

std::string Model::emit(const std::string& stage, const CompileTarget& target,
                        const std::string& filter) const {
  if (stage == "graph") return contents_->operators;
  if (stage == "program") return to_json(compile(target));
  return emit_stage(contents_->graph, options_of(target), stage, filter);
}

}  // namespace tensordsl
