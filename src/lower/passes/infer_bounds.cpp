#include "lower/passes/infer_bounds.h"

#include <fmt/format.h>

#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "ir/simplify.h"
#include "lower/index_ranges.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Finds the accesses of some tensors. A read behind a select counts where the select makes it.
class AccessFinder {
 public:
  using IsWanted = std::function<bool(const std::string&)>;
  using OnAccess =
      std::function<void(const std::string& tensor, const std::vector<Expr>& indices, const IndexRanges&)>;
  /// What has none of `names` has no wanted tensor.
  AccessFinder(IsWanted is_wanted, NameFilter names, bool stores, OnAccess on_access)
      : is_wanted_(std::move(is_wanted)), names_(names), on_access_(std::move(on_access)), stores_(stores) {}

  void run(const Stmt& stmt, const IndexRanges& ranges) {
    if (!stmt->names.may_share(names_)) return;
    switch (stmt->kind) {
      case StmtKind::For:
        return run_loop(*stmt, ranges);
      case StmtKind::Let:
        find_loads(stmt->value(), ranges);
        return run(stmt->body[0], ranges.with(stmt->name, {stmt->value(), stmt->value()}));
      case StmtKind::If:
        return run_if(*stmt, ranges);
      default:
        break;
    }
    for (const Expr& e : stmt->exprs) find_loads(e, ranges);
    if (stores_ && stmt->kind == StmtKind::Store && is_wanted_(stmt->name)) {
      on_access_(stmt->name, stmt->indices(), ranges);
    }
    for (const Stmt& s : stmt->body) run(s, ranges);
  }

 private:
  using Seen = std::unordered_set<const ExprNode*>;

  void run_loop(const StmtNode& loop, const IndexRanges& ranges) {
    for (const Expr& e : loop.exprs) find_loads(e, ranges);
    run(loop.body[0], ranges.with(loop.name, {loop.min(), simplify(loop.min() + loop.extent() - 1)}));
  }

  void run_if(const StmtNode& test, const IndexRanges& ranges) {
    find_loads(test.condition(), ranges);
    if (const auto inside = ranges.assuming(test.condition(), true)) run(test.body[0], *inside);
    if (test.body.size() > 1) run(test.body[1], ranges);
  }

  void find_loads(const Expr& expr, const IndexRanges& ranges) {
    Seen seen;
    find_loads(expr, ranges, seen);
  }

  void find_loads(const Expr& e, const IndexRanges& ranges, Seen& seen) {
    if (!loads(e) || !seen.insert(e.get()).second) return;
    if (e->kind == ExprKind::Load && is_wanted_(e->name)) on_access_(e->name, e->operands, ranges);
    const bool chooses = e->kind == ExprKind::Select && (loads((*e)[1]) || loads((*e)[2]));
    // Both sides of a select may share what is below them, and so on: past a limit its condition is not made
    // use of.
    constexpr int kMaxSides = 1 << 12;
    if (!chooses || ++sides_ > kMaxSides) {
      for (const Expr& operand : e->operands) find_loads(operand, ranges, seen);
      return;
    }
    find_loads((*e)[0], ranges, seen);
    for (const bool truth : {true, false}) {
      const auto there = ranges.assuming((*e)[0], truth);
      if (there) find_loads((*e)[truth ? 1 : 2], *there);
    }
  }

  /// Whether a wanted tensor is read in `e`.
  bool loads(const Expr& e) {
    if (e->operands.empty() || !e->names.may_share(names_)) return false;
    const auto [it, is_new] = loads_.try_emplace(e.get(), false);
    if (!is_new) return it->second;
    bool result = e->kind == ExprKind::Load && is_wanted_(e->name);
    for (const Expr& operand : e->operands) result = loads(operand) || result;
    return loads_[e.get()] = result;
  }

  IsWanted is_wanted_;
  NameFilter names_;
  OnAccess on_access_;
  bool stores_;
  std::unordered_map<const ExprNode*, bool> loads_;
  int sides_ = 0;  // of selects
};

std::vector<SymbolicInterval> bounded_intervals(const std::string& tensor, const std::vector<Expr>& indices,
                                                const IndexRanges& ranges) {
  std::vector<SymbolicInterval> result;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    result.push_back(ranges.interval(indices[d]));
    if (result.back().bounded()) continue;
    throw DefinitionError(
        fmt::format("{}: index {} of dimension {} cannot be bounded; clamp it to the tensor's extent", tensor,
                    tensordsl::to_string(indices[d]), d));
  }
  return result;
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

std::optional<Box> required_box(const Stmt& stmt, const std::string& tensor, bool stores) {
  std::optional<std::vector<SymbolicInterval>> found;
  const auto widen = [&](const std::string&, const std::vector<Expr>& indices, const IndexRanges& ranges) {
    std::vector<SymbolicInterval> access = bounded_intervals(tensor, indices, ranges);
    for (std::size_t d = 0; found && d < access.size(); ++d) {
      const SymbolicInterval all = hull((*found)[d], access[d]);
      access[d] = {simplify(all.low), simplify(all.high)};
    }
    found = std::move(access);
  };
  AccessFinder([&](const std::string& name) { return name == tensor; }, NameFilter(tensor), stores, widen)
      .run(stmt, {});
  return found ? std::optional(box_of(*found)) : std::nullopt;
}

std::vector<ReadRegion> read_regions(const Stmt& stmt, const std::set<std::string>& tensors) {
  std::vector<ReadRegion> regions;
  const auto add = [&](const std::string& tensor, const std::vector<Expr>& indices,
                       const IndexRanges& ranges) {
    regions.push_back({tensor, box_of(bounded_intervals(tensor, indices, ranges)), ranges.where_not_empty()});
  };
  NameFilter names;
  for (const std::string& tensor : tensors) names.add(NameFilter(tensor));
  AccessFinder([&](const std::string& name) { return tensors.contains(name); }, names, false, add)
      .run(stmt, IndexRanges(IndexRanges::Factors::Any));
  return regions;
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
