#include "apps/bench/model_graph.h"

#include "model/constant_evaluator.h"
#include "onnx/import_onnx.h"

namespace tensordsl::bench {

definitions::DefinitionGraph graph_of_model(const std::filesystem::path& path) {
  ModelOptions model;
  model.random_weights = true;
  ConstantEvaluator evaluator(model);
  onnx::ImportOptions importing;
  importing.random_weights = true;
  importing.evaluate = [&](const ops::Node& node, const std::vector<const Buffer*>& inputs) {
    return evaluator.evaluate(node, inputs);
  };
  return define_graph(import_onnx(path, importing));
}

}  // namespace tensordsl::bench
