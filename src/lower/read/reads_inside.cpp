#include "lower/read/reads_inside.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include "ir/analyze/index_ranges.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/launch_assumptions.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

class Reader {
 public:
  Reader(const std::string& tensor, const std::vector<Expr>& extents, const Expr& condition)
      : tensor_(tensor),
        name_(tensor),
        extents_(extents),
        condition_(condition),
        has_open_extent_(std::ranges::any_of(extents, [](const Expr& e) { return as_int(e) == nullptr; })) {}

  /// `bounds` are the ranges of `loops` in numbers.
  bool is_inside(const Stmt& stmt, const Bounds& bounds, const IndexRanges& loops) {
    if (!stmt->names.may_share(name_)) return true;
    Place place{Simplifier(bounds), loops, {}, {}, {}};
    for (const Expr& e : stmt->exprs) {
      if (!is_inside(e, place)) return false;
    }
    const auto are_inside = [&](const Bounds& inner_bounds, const IndexRanges& inner_loops) {
      return std::ranges::all_of(stmt->body,
                                 [&](const Stmt& s) { return is_inside(s, inner_bounds, inner_loops); });
    };
    Bounds inner = bounds;
    if (stmt->kind == StmtKind::For) {
      const Expr &min = stmt->min(), &extent = stmt->extent();
      const Interval first = place.range_of(min), count = place.range_of(extent);
      inner[stmt->name] = {first.low, saturating_add(first.high, saturating_add(count.high, -1))};
      if (!has_open_extent_) return are_inside(inner, loops);
      return are_inside(inner, loops.with(stmt->name, {min, simplify(min + extent - 1)}));
    }
    if (stmt->kind == StmtKind::Let) {
      const bool is_index = stmt->value().type() == Int(32);
      inner[stmt->name] = is_index ? place.range_of(stmt->value()) : Interval{};
      if (!is_index || !has_open_extent_) return are_inside(inner, loops);
      return are_inside(inner, loops.with(stmt->name, loops.interval(stmt->value())));
    }
    return are_inside(inner, loops);
  }

 private:
  /// The ranges that hold at a statement.
  struct Place {
    Simplifier numbers;
    const IndexRanges& loops;
    std::unordered_set<const ExprNode*> seen;
    std::map<std::size_t, std::unordered_set<Expr, ExprHash, ExprSame>> inside;  // indices by dimension

    std::optional<LaunchAssumptions> facts;  // the launch's, and that the loops around run

    Interval range_of(const Expr& e) { return numbers.bounds(numbers.simplify(e)); }
  };

  bool is_inside(const Expr& e, Place& place) const {
    const bool is_access = e->kind == ExprKind::Load || e->kind == ExprKind::Call;
    if ((!is_access && !e->names.may_share(name_)) || !place.seen.insert(e.get()).second) return true;
    if (is_access && e->name == tensor_) {
      if (e->operands.size() != extents_.size()) return false;
      for (std::size_t d = 0; d < extents_.size(); ++d) {
        if (!is_index_inside(e->operands[d], d, place)) return false;
      }
    }
    return std::ranges::all_of(e->operands, [&](const Expr& operand) { return is_inside(operand, place); });
  }

  bool is_index_inside(const Expr& index, std::size_t dimension, Place& place) const {
    auto& inside = place.inside[dimension];
    if (inside.contains(index)) return true;
    const Expr& extent = extents_[dimension];
    const std::int64_t* number = as_int(extent);
    if (number) {
      if (!Interval{0, *number - 1}.contains(place.range_of(index))) return false;
    } else {
      const auto [low, high] = place.loops.interval(index);
      if (!place.facts) place.facts = assumptions_of(both(condition_, place.loops.where_not_empty()));
      const bool is_inside = low.defined() && high.defined() &&
                             can_prove_with(*place.facts, Expr(0) <= low) &&
                             can_prove_with(*place.facts, high < extent);
      if (!is_inside) return false;
    }
    inside.insert(index);
    return true;
  }

  const std::string& tensor_;
  NameFilter name_;
  const std::vector<Expr>& extents_;
  const Expr& condition_;
  const bool has_open_extent_;  // else numbers are enough
};

}  // namespace

bool is_known_inside(const Stmt& stmt, const std::string& tensor, const std::vector<Expr>& extents,
                     const Expr& condition) {
  return Reader(tensor, extents, condition).is_inside(stmt, {}, IndexRanges(Factors::Any));
}

}  // namespace tensordsl::lower
