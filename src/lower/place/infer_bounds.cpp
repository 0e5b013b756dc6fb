#include "lower/place/infer_bounds.h"

#include <fmt/format.h>

#include <functional>

#include "ir/analyze/extent_form.h"
#include "ir/analyze/guarded_reads.h"
#include "ir/simplify/simplify.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A Load or a Store of a tensor. `stored` is the target of the statement; empty in a condition or a loop's
/// end.
struct Access {
  const std::string& tensor;
  const std::vector<Expr>& indices;
  const std::string& stored;
};

/// Finds the accesses of some tensors. A read under a condition counts where the condition holds.
class AccessFinder {
 public:
  using IsWanted = std::function<bool(const std::string&)>;
  using OnAccess = std::function<void(const Access&, const IndexRanges&)>;
  /// Subtrees without any of these names are skipped.
  AccessFinder(IsWanted is_wanted, NameFilter names, bool stores, OnAccess on_access)
      : is_wanted_(std::move(is_wanted)),
        names_(names),
        on_access_(std::move(on_access)),
        stores_(stores),
        reads_([this](const Expr& e) { return e->kind == ExprKind::Load && is_wanted_(e->name); },
               [this](const Expr& e, const IndexRanges& ranges) {
                 on_access_({e->name, e->operands, stored_}, ranges);
               },
               names) {}
  AccessFinder(const AccessFinder&) = delete;
  AccessFinder& operator=(const AccessFinder&) = delete;

  void run(const Stmt& stmt, const IndexRanges& ranges) {
    if (!stmt->names.may_share(names_)) return;
    stored_ = stmt->kind == StmtKind::Store ? stmt->name : "";
    for (const Expr& e : stmt->exprs) reads_.find(e, ranges);
    switch (stmt->kind) {
      case StmtKind::For: {
        const Expr &min = stmt->min(), &extent = stmt->extent();
        return run(stmt->body[0], ranges.with(stmt->name, {min, simplify(min + extent - 1)}));
      }
      case StmtKind::Let: {
        const Expr& value = stmt->value();
        // Matches any component of a tuple.
        if (value.type() != Int(32)) return run(stmt->body[0], ranges);
        const bool may_change = reads_memory(value);
        return run(stmt->body[0], ranges.with(stmt->name, may_change ? ranges.interval(value)
                                                                     : SymbolicInterval{value, value}));
      }
      case StmtKind::If:
        return run_if(*stmt, ranges);
      default:
        break;
    }
    if (stores_ && stmt->kind == StmtKind::Store && is_wanted_(stmt->name)) {
      on_access_({stmt->name, stmt->indices(), stored_}, ranges);
    }
    for (const Stmt& s : stmt->body) run(s, ranges);
  }

 private:
  void run_if(const StmtNode& test, const IndexRanges& ranges) {
    const auto inside = ranges.assuming(test.condition(), true, MemoryState::MayChange);
    if (inside) run(test.body[0], *inside);
    if (test.body.size() > 1) run(test.body[1], ranges);
  }

  IsWanted is_wanted_;
  NameFilter names_;
  OnAccess on_access_;
  bool stores_;
  std::string stored_;
  GuardedReads<IndexRanges> reads_;
};

bool is_known_empty(const SymbolicInterval& i) {
  const std::int64_t *low = as_int(i.low), *high = as_int(i.high);
  return low && high && *high < *low;
}

/// Returns nothing if the conditions around the access never hold together.
std::optional<std::vector<SymbolicInterval>> intervals_of(const std::vector<Expr>& indices,
                                                          const IndexRanges& ranges) {
  std::vector<SymbolicInterval> result;
  for (const Expr& index : indices) {
    result.push_back(ranges.interval(index));
    if (result.back().bounded() && is_known_empty(result.back())) return std::nullopt;
  }
  return result;
}

void check_bounded(const Access& access, const std::vector<SymbolicInterval>& intervals) {
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    if (intervals[d].bounded()) continue;
    throw DefinitionError(
        fmt::format("{}: index {} of dimension {} is unbounded; clamp it to the tensor's extent",
                    access.tensor, tensordsl::to_string(access.indices[d]), d));
  }
}

/// Adds the `names` whose sign the ends of an index depend on.
void add_factors(const Expr& index, const std::set<std::string>& names, std::vector<AssumedFactor>& found) {
  const auto is_one = [&](const Expr& e) { return e->kind == ExprKind::Var && names.contains(e->name); };
  const auto is_free = [&](const Expr& e) {
    bool result = true;
    visit(e, [&](const Expr& part) {
      result = result && (part->kind != ExprKind::Var || is_one(part)) && part->kind != ExprKind::Load;
      return result;
    });
    return result;
  };
  visit(index, [&](const Expr& e) {
    if (e->kind == ExprKind::Load || e.type().is_bool()) return false;
    if ((e->kind != ExprKind::Mul && e->kind != ExprKind::Mod) || is_free(e)) return true;
    const bool is_divisor = e->kind == ExprKind::Mod;
    for (std::size_t side = is_divisor ? 1 : 0; side < 2; ++side) {
      const Expr& factor = (*e)[side];
      const ExtentIs what = is_divisor ? ExtentIs::Positive : ExtentIs::NotNegative;
      if (!has_extent_form(factor, what, [&](const std::string& name) { return names.contains(name); }))
        continue;
      visit(factor, [&](const Expr& part) {
        if (is_one(part)) found.push_back({"", part->name, is_divisor, Expr()});
        return true;
      });
    }
    return true;
  });
}

Box box_of(const std::vector<SymbolicInterval>& intervals) {
  Box box;
  for (const SymbolicInterval& i : intervals) {
    const Expr low = simplify(i.low);
    box.push_back({low, simplify(i.high - low + 1)});
  }
  return box;
}

}  // namespace

std::optional<std::vector<SymbolicInterval>> required_intervals(const Stmt& stmt, const std::string& tensor,
                                                                bool stores, Unbounded unbounded, Ends ends) {
  std::optional<std::vector<SymbolicInterval>> found;
  const auto widen = [&](const Access& access, const IndexRanges& ranges) {
    auto intervals = intervals_of(access.indices, ranges);
    if (!intervals) return;
    if (unbounded == Unbounded::Refused) check_bounded(access, *intervals);
    for (std::size_t d = 0; found && d < intervals->size(); ++d) {
      const SymbolicInterval all = hull((*found)[d], (*intervals)[d]);
      (*intervals)[d] = {all.low.defined() ? simplify(all.low) : Expr(),
                         all.high.defined() ? simplify(all.high) : Expr()};
    }
    found = std::move(intervals);
  };
  AccessFinder([&](const std::string& name) { return name == tensor; }, NameFilter(tensor), stores, widen)
      .run(stmt, IndexRanges(ends));
  return found;
}

std::optional<Box> required_box(const Stmt& stmt, const std::string& tensor, bool stores, Ends ends) {
  const auto found = required_intervals(stmt, tensor, stores, Unbounded::Refused, ends);
  return found ? std::optional(box_of(*found)) : std::nullopt;
}

std::vector<ReadRegion> read_regions(const Stmt& stmt, const std::set<std::string>& tensors) {
  std::vector<ReadRegion> regions;
  const auto add = [&](const Access& access, const IndexRanges& ranges) {
    const auto intervals = intervals_of(access.indices, ranges);
    if (!intervals) return;
    check_bounded(access, *intervals);
    regions.push_back({access.tensor, access.stored, box_of(*intervals), ranges.where_not_empty()});
  };
  NameFilter names;
  for (const std::string& tensor : tensors) names.add(NameFilter(tensor));
  AccessFinder([&](const std::string& name) { return tensors.contains(name); }, names, false, add)
      .run(stmt, IndexRanges(Factors::Any));
  return regions;
}

std::vector<AssumedFactor> assumed_factors(const Stmt& stmt, const std::set<std::string>& tensors,
                                           const std::set<std::string>& names) {
  std::vector<AssumedFactor> factors;
  const auto add = [&](const Access& access, const IndexRanges& ranges) {
    std::vector<AssumedFactor> found;
    for (const Expr& index : access.indices) add_factors(simplify(index), names, found);
    for (AssumedFactor& factor : found) {
      factor.tensor = access.tensor;
      factor.when = ranges.where_not_empty();
      factors.push_back(std::move(factor));
    }
  };
  NameFilter filter;
  for (const std::string& tensor : tensors) filter.add(NameFilter(tensor));
  AccessFinder([&](const std::string& name) { return tensors.contains(name); }, filter, true, add)
      .run(stmt, IndexRanges(Factors::Any));
  return factors;
}

Box hull(const Box& a, const Box& b) {
  Box result;
  for (std::size_t d = 0; d < a.size(); ++d) {
    const Expr low = simplify(min(a[d].min, b[d].min));
    const Expr high = max(a[d].min + a[d].extent, b[d].min + b[d].extent);
    result.push_back({low, simplify(high - low)});
  }
  return result;
}

}  // namespace tensordsl::lower
