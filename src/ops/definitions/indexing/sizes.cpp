#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// An attribute that is a number or, for integers, a size.
Expr number_attribute(const OperatorOperands& operands, const char* name) {
  const Type type = operands.output().type;
  const Attributes::Value& value = operands.attributes.values().find(name)->second;
  if (const double* held = std::get_if<double>(&value)) return constant(type, *held);
  return number(type, operands.attributes.sizes(name).at(0));
}

}  // namespace

std::vector<Func> sizes(const OperatorOperands& operands) {
  const Sizes values = operands.attributes.sizes("sizes");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  Expr value = number(Int(64), values.back());
  for (std::size_t i = values.size() - 1; i-- > 0;)
    value = select(vars[0] == static_cast<int>(i), number(Int(64), values[i]), value);
  return {output(operands, vars, value)};
}

std::vector<Func> constant_of_shape(const OperatorOperands& operands) {
  return {output(operands, index_vars(operands.output().shape),
                 element(operands.attributes.get<Buffer>("value"), 0))};
}

std::vector<Func> range(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Type type = operands.output().type;
  // Integers beyond 2048 are not all representable in f16.
  const Type sum = type == Float(16) ? Float(32) : type;
  const Expr start = cast(sum, number_attribute(operands, "start"));
  const Expr delta = cast(sum, number_attribute(operands, "delta"));
  return {output(operands, vars, cast(type, start + cast(sum, vars[0]) * delta))};
}

std::vector<Func> eye_like(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Type type = operands.output().type;
  const Expr diagonal = shifted(vars[0], operands.attributes.get<std::int64_t>("k"));
  return {output(operands, vars, select(vars[1] == diagonal, constant(type, 1), constant(type, 0)))};
}

}  // namespace tensordsl::ops::definitions
