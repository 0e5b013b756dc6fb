#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> mel_weight_matrix(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr frequency = vars[0], mel = vars[1];
  const Type type = operands.output().type == Float(64) ? Float(64) : Float(32);
  const Expr left = read(operands, 0, {mel}), center = read(operands, 0, {mel + 1}),
             right = read(operands, 0, {mel + 2});
  const Expr rising = cast(type, frequency - left) / cast(type, max(center - left, 1)),
             falling = cast(type, right - frequency) / cast(type, max(right - center, 1));
  // A bin that begins in its center has only the center, and its fall.
  const Expr rise = select(center == left, select(frequency == center, constant(type, 1), constant(type, 0)),
                           select(left <= frequency && frequency <= center, rising, constant(type, 0)));
  return {output(operands, vars, select(center <= frequency && frequency < right, falling, rise))};
}

}  // namespace tensordsl::ops::definitions
