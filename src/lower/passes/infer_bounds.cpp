#include "lower/passes/infer_bounds.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "ir/simplify.h"
#include "lower/index_ranges.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Finds the accesses of one tensor. A read behind a select counts where the select makes it.
class RegionFinder {
 public:
  RegionFinder(std::string tensor, bool stores)
      : tensor_(std::move(tensor)), names_(tensor_), stores_(stores) {}

  void run(const Stmt& stmt, const IndexRanges& ranges) {
    if (!stmt->names.may_share(names_)) return;
    switch (stmt->kind) {
      case StmtKind::For:
        return run_loop(*stmt, ranges);
      case StmtKind::Let:
        find_loads(stmt->exprs[0], ranges);
        return run(stmt->body[0], ranges.with(stmt->name, {stmt->exprs[0], stmt->exprs[0]}));
      case StmtKind::If:
        return run_if(*stmt, ranges);
      default:
        break;
    }
    for (const Expr& e : stmt->exprs) find_loads(e, ranges);
    if (stores_ && stmt->kind == StmtKind::Store && stmt->name == tensor_) {
      add({stmt->exprs.begin() + 1, stmt->exprs.end()}, ranges);
    }
    for (const Stmt& s : stmt->body) run(s, ranges);
  }

  std::optional<Box> box() const {
    if (!found_) return std::nullopt;
    Box result;
    for (const SymbolicInterval& i : *found_) {
      const Expr low = simplify(i.low);
      result.push_back({low, simplify(i.high - low + 1)});
    }
    return result;
  }

 private:
  using Seen = std::unordered_set<const ExprNode*>;

  void run_loop(const StmtNode& loop, const IndexRanges& ranges) {
    for (const Expr& e : loop.exprs) find_loads(e, ranges);
    run(loop.body[0], ranges.with(loop.name, {loop.exprs[0], simplify(loop.exprs[0] + loop.exprs[1] - 1)}));
  }

  void run_if(const StmtNode& test, const IndexRanges& ranges) {
    find_loads(test.exprs[0], ranges);
    if (const auto inside = ranges.assuming(test.exprs[0], true)) run(test.body[0], *inside);
    if (test.body.size() > 1) run(test.body[1], ranges);
  }

  void find_loads(const Expr& expr, const IndexRanges& ranges) {
    Seen seen;
    find_loads(expr, ranges, seen);
  }

  void find_loads(const Expr& e, const IndexRanges& ranges, Seen& seen) {
    if (!loads(e) || !seen.insert(e.get()).second) return;
    if (e->kind == ExprKind::Load && e->name == tensor_) add(e->operands, ranges);
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

  /// Whether the tensor is read in `e`.
  bool loads(const Expr& e) {
    if (e->operands.empty() || !e->names.may_share(names_)) return false;
    const auto [it, is_new] = loads_.try_emplace(e.get(), false);
    if (!is_new) return it->second;
    bool result = e->kind == ExprKind::Load && e->name == tensor_;
    for (const Expr& operand : e->operands) result = loads(operand) || result;
    return loads_[e.get()] = result;
  }

  void add(const std::vector<Expr>& indices, const IndexRanges& ranges) {
    std::vector<SymbolicInterval> access;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      access.push_back(ranges.interval(indices[d]));
      if (access.back().bounded()) continue;
      throw DefinitionError(
          fmt::format("{}: index {} of dimension {} cannot be bounded; clamp it to the tensor's extent",
                      tensor_, tensordsl::to_string(indices[d]), d));
    }
    if (!found_) {
      found_ = std::move(access);
      return;
    }
    for (std::size_t d = 0; d < access.size(); ++d) {
      SymbolicInterval& all = (*found_)[d];
      all = hull(all, access[d]);
      all = {simplify(all.low), simplify(all.high)};
    }
  }

  std::string tensor_;
  NameFilter names_;  // of the tensor alone: what does not name it is passed by
  bool stores_;
  std::unordered_map<const ExprNode*, bool> loads_;
  std::optional<std::vector<SymbolicInterval>> found_;
  int sides_ = 0;  // of selects
};

}  // namespace

std::optional<Box> required_box(const Stmt& stmt, const std::string& tensor, bool stores) {
  RegionFinder finder(tensor, stores);
  finder.run(stmt, {});
  return finder.box();
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
