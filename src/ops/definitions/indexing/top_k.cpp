#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// Elements of a row by their positions in it.
class Row {
 public:
  explicit Row(const OperatorOperands& operands)
      : operands_(operands),
        axis_(static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"))),
        largest_(operands.attributes.get<std::int64_t>("largest") != 0) {}

  std::size_t axis() const { return axis_; }
  const Size& length() const { return operands_.infos[0].shape[axis_]; }

  /// `at` with `place` in the dimension of the row.
  std::vector<Expr> with(const std::vector<Var>& at, const Expr& place) const {
    std::vector<Expr> indices(at.begin(), at.end());
    indices[axis_] = place;
    return indices;
  }
  Expr value(const std::vector<Var>& at, const Expr& place) const {
    return read(operands_, 0, with(at, clamp(place, 0, index(length() - 1))));
  }

  /// True if the element at position `a` comes before the one at `b`. A NaN is larger than any number, and
  /// equal elements keep their order, so no two have the same rank.
  Expr comes_before(const std::vector<Var>& at, const Expr& a, const Expr& b) const {
    const Expr first = value(at, a), second = value(at, b);
    const Expr above = is_above(first, second), below = is_above(second, first);
    return largest_ ? above || (!below && a < b) : below || (!above && a < b);
  }

 private:
  static Expr is_above(const Expr& a, const Expr& b) {
    return a.type().is_float() ? a > b || (is_nan(a) && !is_nan(b)) : a > b;
  }

  const OperatorOperands& operands_;
  std::size_t axis_;
  bool largest_;
};

}  // namespace

std::vector<Func> top_k(const OperatorOperands& operands) {
  const Row row(operands);
  const std::vector<Var> vars = index_vars(operands.infos[0].shape);
  const Var& along = vars[row.axis()];
  Func rank(operands.name + "_rank"), chosen(operands.name + "_chosen");
  const RDom r({{0, index(row.length())}}, "r");
  rank(vars) += cast(Int(32), row.comes_before(vars, r, along));
  chosen(vars) += select(rank(row.with(vars, r)) == along, r, 0);

  const bool gives_places = operands.outputs.size() > 1;
  const Func place = gives_places ? output(operands, 1, vars, chosen(vars)) : chosen;
  std::vector<Func> results{output(operands, 0, vars, row.value(vars, cast(Int(32), place(vars))))};
  if (gives_places) results.push_back(place);
  return results;
}

}  // namespace tensordsl::ops::definitions
