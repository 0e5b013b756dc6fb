#include "onnx/evaluate_node.h"

#include <fmt/format.h>

#include "ir/nodes/expr_node.h"
#include "onnx/define_node.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"

namespace tensordsl::onnx {
namespace {

using ops::Node;

DefinedNode defined(const Node& node, const std::vector<const Buffer*>& inputs) {
  std::vector<ops::TensorInfo> infos(inputs.size());
  std::vector<const ops::TensorInfo*> present(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    infos[i] = {fmt::format("x{}", i), inputs[i]->type(), inputs[i]->shape()};
    present[i] = &infos[i];
  }
  return define_node(node, present);
}

}  // namespace

std::vector<Buffer> evaluate_node(const Node& node, const std::vector<const Buffer*>& inputs) {
  return evaluate_with_progress(node, inputs, nullptr);
}

std::vector<Buffer> evaluate_with_progress(
    const Node& node, const std::vector<const Buffer*>& inputs,
    const std::function<void(std::int64_t done, std::int64_t total)>& progress) {
  const DefinedNode definition = defined(node, inputs);
  runtime::InterpretArguments arguments;
  arguments.progress = progress;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i])
      arguments.inputs.emplace(fmt::format("x{}", i),
                               inputs[i]->reshaped(known(func_shape(inputs[i]->shape()))));
  }
  std::vector<Buffer> values;
  for (const Func& func : definition.funcs) {
    const ops::Shape& shape = definition.outputs[values.size()].shape;
    values.push_back(
        runtime::interpret(func.shared(), known(func_shape(shape)), arguments).reshaped(known(shape)));
  }
  return values;
}

double interpreted_work(const Node& node, const std::vector<const Buffer*>& inputs) {
  const DefinedNode definition = defined(node, inputs);
  double work = 0;
  for (std::size_t i = 0; i < definition.funcs.size(); ++i) {
    double for_each_element = 0;
    for (const ir::FunctionPtr& function : ir::reachable(definition.funcs[i].shared())) {
      for (const ir::Definition& step : function->definitions) {
        double points = 1;
        for (const ir::ReductionAxis& axis : step.domain) {
          const std::int64_t* extent = ir::as_int(axis.extent);
          points *= extent ? static_cast<double>(*extent) : 1;
        }
        for_each_element += points;
      }
    }
    work += for_each_element * static_cast<double>(element_count(definition.outputs[i].shape).value());
  }
  return work;
}

}  // namespace tensordsl::onnx
