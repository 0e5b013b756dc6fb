#include "lower/reads_inside.h"

#include <unordered_set>

#include "ir/simplifier.h"
#include "ir/simplify.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

class Reader {
 public:
  explicit Reader(const Function& input) : input_(input), name_(input.name) {
    for (const Expr& extent : input.shape) {
      const std::int64_t* number = as_int(extent);
      extents_.push_back(number ? *number : 0);
    }
  }

  bool is_inside(const Stmt& stmt, const Bounds& bounds) {
    if (!stmt->names.may_share(name_)) return true;
    Simplifier ranges(bounds);
    std::unordered_set<const ExprNode*> seen;
    for (const Expr& e : stmt->exprs) {
      if (!is_inside(e, ranges, seen)) return false;
    }
    Bounds inner = bounds;
    if (stmt->kind == StmtKind::For) {
      const Interval first = range_of(stmt->min(), ranges), count = range_of(stmt->extent(), ranges);
      inner[stmt->name] = {first.low, saturating_add(first.high, saturating_add(count.high, -1))};
    } else if (stmt->kind == StmtKind::Let) {
      inner[stmt->name] = stmt->value().type() == Int(32) ? range_of(stmt->value(), ranges) : Interval{};
    }
    for (const Stmt& s : stmt->body) {
      if (!is_inside(s, inner)) return false;
    }
    return true;
  }

 private:
  static Interval range_of(const Expr& e, Simplifier& ranges) { return ranges.bounds(ranges.simplify(e)); }

  bool is_inside(const Expr& e, Simplifier& ranges, std::unordered_set<const ExprNode*>& seen) const {
    const bool is_access = e->kind == ExprKind::Load || e->kind == ExprKind::Call;
    if ((!is_access && !e->names.may_share(name_)) || !seen.insert(e.get()).second) return true;
    if (is_access && e->name == input_.name) {
      if (e->operands.size() != extents_.size()) return false;
      for (std::size_t d = 0; d < extents_.size(); ++d) {
        if (!Interval{0, extents_[d] - 1}.contains(range_of(e->operands[d], ranges))) return false;
      }
    }
    for (const Expr& operand : e->operands) {
      if (!is_inside(operand, ranges, seen)) return false;
    }
    return true;
  }

  const Function& input_;
  NameFilter name_;
  std::vector<std::int64_t> extents_;  // 0: not known, so that nothing is inside
};

}  // namespace

bool is_known_inside(const Stmt& stmt, const Function& input) { return Reader(input).is_inside(stmt, {}); }

}  // namespace tensordsl::lower
