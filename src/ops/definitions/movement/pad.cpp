#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// Returns the index in [0, extent) that `mode` puts at index `place` of the padded dimension, relative to
/// the first element.
Expr repeated_place(const std::string& mode, const Expr& place, const Size& extent) {
  const Expr last = index(extent - 1);
  if (mode == "edge") return clamp(place, 0, last);
  if (mode == "wrap") return clamp(place % index(extent), 0, last);
  if (extent == Size(1)) return 0;
  const Expr period = index((extent - 1) * 2), in_period = place % period;
  return clamp(min(in_period, period - in_period), 0, last);
}

}  // namespace

std::vector<Func> pad(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const Attributes& attributes = operands.attributes;
  const Sizes pads = attributes.sizes("pads");
  const std::string mode = attributes.get<std::string>("mode", "constant");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Type type = operands.infos[0].type;

  std::vector<Expr> at;
  Expr inside;
  const auto require = [&](const Expr& test) { inside = inside.defined() ? inside && test : test; };
  for (std::size_t d = 0; d < x.size(); ++d) {
    const Size begin = pads[d], end = pads[d + x.size()];
    const bool grows_before = is_less(0, begin) != false, grows_after = is_less(0, end) != false;
    const Expr place = shifted(vars[d], Size(0) - begin);
    if (!grows_before && !grows_after) {
      at.push_back(place);
    } else if (mode == "constant") {
      if (grows_before) require(place >= 0);
      if (grows_after) require(place < index(x[d]));
      at.push_back(clamp(place, 0, index(x[d] - 1)));
    } else {
      const Size first = grows_before ? Size(0) : Size(0) - begin;
      const Size extent = x[d] - first + (grows_after ? Size(0) : end);
      at.push_back(shifted(repeated_place(mode, shifted(place, Size(0) - first), extent), first));
    }
  }

  if (!inside.defined()) return {output(operands, vars, read(operands, 0, at))};
  const Expr value =
      operands.has_input(1) ? read(operands, 1, {}) : constant(type, attributes.get<double>("value"));
  // An input without elements cannot be read.
  if (is_empty(x)) return {output(operands, vars, value)};
  return {output(operands, vars, select(inside, read(operands, 0, at), value))};
}

}  // namespace tensordsl::ops::definitions
