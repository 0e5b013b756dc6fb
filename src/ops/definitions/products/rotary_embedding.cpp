#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> rotary_embedding(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const Shape& x = operands.infos[0].shape;
  const bool has_heads = x.size() == 4;
  const std::vector<Var> vars = index_vars(x);
  const Size width = has_heads ? x[3] : *exact_quotient(x[2], attributes.get<std::int64_t>("num_heads"));
  const std::int64_t rotated = attributes.get<std::int64_t>("rotary_embedding_dim"), half = rotated / 2;
  const Expr batch = vars[0], step = vars[has_heads ? 2 : 1];
  const Expr place = has_heads ? Expr(vars[3]) : vars[2] % index(width);  // in the head

  // Each element turns with another one by the angle of the pair.
  const bool is_interleaved = attributes.get<std::int64_t>("interleaved") == 1;
  const Expr is_second = is_interleaved ? place % 2 == 1 : place >= index(half);
  const Expr distance = is_interleaved ? Expr(1) : index(half);
  const Expr pair = clamp(is_interleaved ? place / 2 : place % index(half), 0, index(half - 1));
  std::vector<Expr> at(vars.begin(), vars.end());
  const Expr own = accumulated(read(operands, 0, at));
  at.back() =
      clamp(select(is_second, vars.back() - distance, vars.back() + distance), 0, index(x.back() - 1));
  const Expr other = accumulated(read(operands, 0, at));

  std::vector<Expr> angle{batch, step, pair};
  if (operands.has_input(3)) {
    const Expr position = cast(Int(32), read(operands, 3, {batch, step}));
    angle = {clamp(position, 0, index(operands.infos[1].shape[0] - 1)), pair};
  }
  const Expr cosine = accumulated(read(operands, 1, angle)), sine = accumulated(read(operands, 2, angle));
  Expr value = select(is_second, cosine * own + sine * other, cosine * own - sine * other);
  if (width != Size(rotated)) value = select(place < index(rotated), value, own);
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
