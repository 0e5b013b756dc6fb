#include "onnx/evaluate_node.h"

#include <fmt/format.h>

#include "onnx/define_node.h"
#include "runtime/interpreter.h"
#include "schedule/schedule.h"

namespace tensordsl {

std::vector<Buffer> evaluate_node(const Node& node, const std::vector<Buffer>& inputs) {
  std::vector<TensorInfo> infos(inputs.size());
  std::vector<const TensorInfo*> present(inputs.size());
  InterpretArguments arguments;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i].empty()) continue;
    infos[i] = {fmt::format("x{}", i), inputs[i].type(), inputs[i].shape()};
    present[i] = &infos[i];
    arguments.inputs.emplace(infos[i].name, inputs[i].reshaped(func_shape(inputs[i].shape())));
  }
  const DefinedNode defined = define_node(node, present);
  std::vector<Buffer> values;
  for (const Func& func : defined.funcs) {
    const Shape& shape = defined.outputs[values.size()].shape;
    values.push_back(interpret(func.shared(), func_shape(shape), arguments).reshaped(shape));
  }
  return values;
}

}  // namespace tensordsl
