// An operator applied to Inputs x0, x1, ..., as the graph applies it.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "ops/definition.h"
#include "ops/operator_table.h"

namespace tensordsl::testing {

/// Definitions take a scalar as a tensor of one dimension.
inline Shape func_shape(const Shape& shape) {
  return shape.empty() ? Shape{1} : shape;
}

struct DefinedOperator {
  InferredTensor inferred;
  OperatorDefinition definition;
};

/// Infers the shape, then defines the Func `name`.
inline DefinedOperator define_operator(const std::string& op, std::vector<TensorInfo> infos,
                                       const Attributes& attributes, const std::string& name = "y") {
  OperatorCall call{attributes, {}};
  for (const TensorInfo& info : infos) call.inputs.push_back(&info);
  InferredTensor inferred = infer(*find_operator(op), call);
  std::vector<Func> inputs;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    std::vector<Expr> extents;
    for (const std::int64_t extent : func_shape(infos[i].shape)) extents.emplace_back(static_cast<int>(extent));
    inputs.push_back(Input(fmt::format("x{}", i), infos[i].type, extents));
  }
  OperatorDefinition definition =
      find_definition(op)({name, inferred.attributes, inputs, infos, {name, inferred.type, inferred.shape}});
  return {std::move(inferred), std::move(definition)};
}

}  // namespace tensordsl::testing
