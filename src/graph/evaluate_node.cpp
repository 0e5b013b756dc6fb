#include "graph/evaluate_node.h"

#include <fmt/format.h>

#include "ops/definition.h"
#include "ops/definitions/building_blocks.h"
#include "ops/operator_table.h"
#include "runtime/interpreter.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

/// Definitions take a scalar as a tensor of one dimension.
Shape func_shape(const Shape& shape) { return shape.empty() ? Shape{1} : shape; }

}  // namespace

std::vector<Buffer> evaluate_node(const Node& node, const std::vector<Buffer>& inputs) {
  const OperatorSpec* spec = find_operator(node.op);
  const DefineOperator define = find_definition(node.op);
  if (!spec || !define) throw InternalError(fmt::format("{} cannot be evaluated", label(node)));

  std::vector<TensorInfo> infos(inputs.size());
  OperatorCall call{node.attributes, std::vector<const TensorInfo*>(inputs.size())};
  std::vector<Func> funcs;
  InterpretArguments arguments;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i].empty()) continue;
    infos[i] = {fmt::format("x{}", i), inputs[i].type(), inputs[i].shape()};
    call.inputs[i] = &infos[i];
    const Shape shape = func_shape(infos[i].shape);
    std::vector<Expr> extents;
    for (const std::int64_t extent : shape) extents.push_back(definitions::index(extent));
    funcs.push_back(Input(infos[i].name, infos[i].type, extents));
    arguments.inputs.emplace(infos[i].name, inputs[i].reshaped(shape));
  }
  const InferredTensor result = infer(*spec, call);

  std::erase_if(infos, [](const TensorInfo& info) { return info.name.empty(); });
  const OperatorDefinition definition =
      define({"value", result.attributes, funcs, infos, {"value", result.type, result.shape}});
  Buffer value = interpret(definition.output.shared(), func_shape(result.shape), arguments);
  return {value.reshaped(result.shape)};
}

}  // namespace tensordsl
