#include "onnx/evaluate_node.h"

#include <fmt/format.h>

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
  if (!spec) throw InternalError(fmt::format("{} cannot be evaluated", label(node)));

  OperatorOperands operands{"value",
                            node.attributes,
                            std::vector<std::optional<Func>>(inputs.size()),
                            std::vector<TensorInfo>(inputs.size()),
                            {}};
  OperatorCall call{node.attributes, std::vector<const TensorInfo*>(inputs.size()), node.outputs.size()};
  InterpretArguments arguments;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i].empty()) continue;
    TensorInfo& info = operands.infos[i];
    info = {fmt::format("x{}", i), inputs[i].type(), inputs[i].shape()};
    call.inputs[i] = &info;
    const Shape shape = func_shape(info.shape);
    std::vector<Expr> extents;
    for (const std::int64_t extent : shape) extents.push_back(definitions::index(extent));
    operands.inputs[i] = Input(info.name, info.type, extents);
    arguments.inputs.emplace(info.name, inputs[i].reshaped(shape));
  }
  const InferredNode result = infer(*spec, call);
  for (const auto& [type, shape] : result.outputs) operands.outputs.push_back({"value", type, shape});
  const OperatorOperands with_defaults{operands.name, result.attributes, operands.inputs, operands.infos,
                                       operands.outputs};
  std::vector<Buffer> values;
  for (const Func& output : spec->define(with_defaults)) {
    const Shape& shape = result.outputs[values.size()].shape;
    values.push_back(interpret(output.shared(), func_shape(shape), arguments).reshaped(shape));
  }
  return values;
}

}  // namespace tensordsl
