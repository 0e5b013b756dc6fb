#include <algorithm>
#include <cmath>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {
namespace {

/// Elements of a row by their places in it.
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

  /// Whether the element at place `a` comes before the one at `b`. A NaN is larger than any number, and of
  /// equal elements the first comes first, so no two are at one rank.
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

/// In how long pieces a long row is ranked, each for itself, before the best of all pieces are; 0: as a
/// whole. It makes n * piece + (n / piece * k)^2 comparisons of n^2.
std::int64_t piece_length(const Size& length, const Size& k) {
  constexpr std::int64_t kLong = 2048;
  if (!length.is_known() || !k.is_known() || length.value() <= kLong) return 0;
  const auto n = static_cast<double>(length.value()), best = static_cast<double>(k.value());
  const double piece = std::max(std::cbrt(2 * n * best * best), best);
  return piece < n / 4 ? static_cast<std::int64_t>(std::ceil(piece)) : 0;
}

}  // namespace

std::vector<Func> top_k(const OperatorOperands& operands) {
  const Row row(operands);
  const Size k = operands.attributes.sizes("k").at(0);
  const std::vector<Var> vars = index_vars(operands.infos[0].shape);
  const Var& along = vars[row.axis()];
  const std::int64_t piece = piece_length(row.length(), k);

  // The places among which the best are, and which of them are there at all.
  Func places(operands.name + "_places");
  Size count = row.length();
  if (piece == 0) {
    places(vars) = along;
  } else {
    Func rank(operands.name + "_rank_in_piece");
    RDom others({{0, index(piece)}}, "others");
    const Expr other = divided(along, piece) * index(piece) + others;
    others.where(other < index(row.length()));
    rank(vars) += cast(Int(32), row.comes_before(vars, other, along));

    const std::int64_t kept = k.value();
    RDom r({{0, index(piece)}}, "r");
    const Expr place = divided(along, kept) * index(piece) + r;
    r.where(place < index(row.length()));
    // Less 1, so that a place that the last piece does not have is -1.
    places(vars) = -1;
    places(vars) += select(rank(row.with(vars, place)) == along % index(kept), place + 1, 0);
    count = Size((row.length().value() + piece - 1) / piece * kept);
  }

  const auto place_of = [&](const Expr& i) { return places(row.with(vars, i)); };
  Func rank(operands.name + "_rank"), chosen(operands.name + "_chosen");
  const RDom r({{0, index(count)}}, "r");
  rank(vars) +=
      select(place_of(r) >= 0, cast(Int(32), row.comes_before(vars, place_of(r), place_of(along))), 0);
  chosen(vars) += select(place_of(r) >= 0 && rank(row.with(vars, r)) == along, place_of(r), 0);

  const bool gives_places = operands.outputs.size() > 1;
  const Func place = gives_places ? output(operands, 1, vars, chosen(vars)) : chosen;
  std::vector<Func> results{output(operands, 0, vars, row.value(vars, cast(Int(32), place(vars))))};
  if (gives_places) results.push_back(place);
  return results;
}

}  // namespace tensordsl::definitions
