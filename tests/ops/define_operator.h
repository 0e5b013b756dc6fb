// An operator applied to Inputs x0, x1, ..., as the graph applies it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ops/operator_spec.h"
#include "tensordsl/buffer.h"

namespace tensordsl::testing {

/// Definitions take a scalar as a tensor of one dimension.
inline ops::Ints func_shape(const ops::Shape& shape) { return shape.empty() ? ops::Ints{1} : known(shape); }

struct DefinedOperator {
  ops::InferredNode inferred;
  std::vector<Func> outputs;
};

/// Infers the shape, then defines the Func `name`.
inline DefinedOperator define_operator(const std::string& op, std::vector<ops::TensorInfo> infos,
                                       const ops::Attributes& attributes, const std::string& name = "y",
                                       std::size_t outputs = 1) {
  ops::OperatorCall call{attributes, {}, outputs};
  for (const ops::TensorInfo& info : infos) call.inputs.push_back(&info);
  ops::InferredNode inferred = infer(*ops::find_operator(op), call);
  ops::OperatorOperands operands{name, inferred.attributes, {}, infos, {}};
  for (std::size_t i = 0; i < infos.size(); ++i) {
    std::vector<Expr> extents;
    for (const std::int64_t extent : func_shape(infos[i].shape))
      // An extent that an Input cannot have is left for the definition to refuse.
      extents.emplace_back(static_cast<int>(std::min<std::int64_t>(extent, INT32_MAX)));
    operands.inputs.emplace_back(Input(fmt::format("x{}", i), infos[i].type, extents));
  }
  for (const auto& [type, shape] : inferred.outputs) operands.outputs.push_back({name, type, shape});
  return {inferred, ops::find_operator(op)->define(operands)};
}

inline std::vector<ops::TensorInfo> infos_of(const std::vector<Buffer>& inputs) {
  std::vector<ops::TensorInfo> infos;
  for (const Buffer& input : inputs) infos.push_back({"", input.type(), input.shape()});
  return infos;
}

/// The values of x0, x1, ...
inline std::map<std::string, Buffer> by_name(const std::vector<Buffer>& inputs) {
  std::map<std::string, Buffer> values;
  for (const Buffer& input : inputs) {
    values.emplace(fmt::format("x{}", values.size()), input.reshaped(func_shape(input.shape())));
  }
  return values;
}

}  // namespace tensordsl::testing
