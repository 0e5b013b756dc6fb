// Definitions of one expression: each element of the output from the elements at its index.
#pragma once

#include <vector>

#include "ops/definitions/building_blocks.h"

namespace tensordsl::ops::definitions {

/// y[i] = value(x[i])
template <typename Value>
std::vector<Func> unary(const OperatorOperands& operands, const Value& value) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  return {output(operands, vars, value(read_broadcast(operands, 0, vars)))};
}

/// y[i] = value(a[i], b[i]), broadcast
template <typename Value>
std::vector<Func> binary(const OperatorOperands& operands, const Value& value) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr a = read_broadcast(operands, 0, vars), b = read_broadcast(operands, 1, vars);
  return {output(operands, vars, value(a, b))};
}

}  // namespace tensordsl::ops::definitions
