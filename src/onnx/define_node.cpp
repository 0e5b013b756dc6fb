#include "onnx/define_node.h"

#include <fmt/format.h>

#include "ops/definitions/building_blocks.h"
#include "ops/node_rules.h"

namespace tensordsl::onnx {

using ops::Shape;

DefinedNode define_node(const ops::Node& node, const std::vector<const ops::TensorInfo*>& inputs) {
  ops::InferredNode inferred = infer(node, {node.attributes, inputs, node.outputs.size()});
  ops::OperatorOperands operands{"value", inferred.attributes, {}, {}, {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]) {
      operands.inputs.emplace_back(
          Input(fmt::format("x{}", i), inputs[i]->type, func_extents(inputs[i]->shape)));
    } else {
      operands.inputs.emplace_back();
    }
    operands.infos.push_back(inputs[i] ? *inputs[i] : ops::TensorInfo());
  }
  for (const auto& [type, shape] : inferred.outputs) operands.outputs.push_back({"value", type, shape});
  std::vector<Func> funcs = define(node, operands);
  return {std::move(inferred.outputs), std::move(funcs)};
}

Shape func_shape(const Shape& shape) { return shape.empty() ? Shape{1} : shape; }

std::vector<Expr> func_extents(const Shape& shape) {
  std::vector<Expr> extents;
  for (const ops::Size& extent : func_shape(shape)) extents.push_back(ops::definitions::index(extent));
  return extents;
}

}  // namespace tensordsl::onnx
