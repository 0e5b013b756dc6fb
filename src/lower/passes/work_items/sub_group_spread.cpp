#include "lower/passes/work_items/sub_group_spread.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/simplify/simplify.h"
#include "lower/analyze/stores.h"
#include "lower/lowered.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// True if no index of a store depends on the work-item.
bool is_computed_alike(const StmtNode& allocation) {
  bool result = true;
  visit(allocation.body[0], [&](const Stmt& s) {
    if (s->kind != StmtKind::Store || s->name != allocation.name) return result;
    for (const Expr& index : s->indices()) result = result && !uses_var(index, kThreadNames[0]);
    return result;
  });
  return result;
}

void find_spread(const Stmt& stmt, const std::string& tensor, int lanes, Bounds bounds,
                 std::vector<bool>& is_spread) {
  if (stmt->kind == StmtKind::For) {
    bounds[stmt->name] = range_of_loop(stmt->min(), stmt->extent(), bounds);
  }
  if (stmt->kind == StmtKind::Store && stmt->name == tensor) {
    for (std::size_t d = 0; d < is_spread.size(); ++d)
      is_spread[d] = is_spread[d] && is_own_element(stmt->index(d), lanes, bounds);
  }
  for (const Stmt& s : stmt->body) find_spread(s, tensor, lanes, bounds, is_spread);
}

}  // namespace

Interval range_of_loop(const Expr& min, const Expr& extent, const Bounds& bounds) {
  return {bounds_of(min, bounds).low, bounds_of(simplify(min + extent - 1), bounds).high};
}

bool is_partly_computed(const Stmt& stmt, const std::string& tensor) {
  const std::int64_t* extent = stmt->kind == StmtKind::For ? as_int(stmt->extent()) : nullptr;
  const bool is_certain = stmt->kind == StmtKind::For ? extent && *extent > 0 : stmt->kind != StmtKind::If;
  if (!is_certain) return stores_to(stmt, tensor);
  return std::any_of(stmt->body.begin(), stmt->body.end(),
                     [&](const Stmt& s) { return is_partly_computed(s, tensor); });
}

bool is_own_element(const Expr& index, int lanes, const Bounds& bounds) {
  return is_const(simplify((index - make_var(kThreadNames[0])) % lanes, bounds), 0);
}

SubGroupSpread spread_of(const StmtNode& allocation, int lanes, const Bounds& bounds) {
  std::vector<bool> is_spread(allocation.extents().size(), true);
  find_spread(allocation.body[0], allocation.name, lanes, bounds, is_spread);
  const auto it = std::find(is_spread.begin(), is_spread.end(), true);
  if (it != is_spread.end()) return {.dimension = static_cast<std::size_t>(it - is_spread.begin())};
  const auto& extents = allocation.extents();
  const auto single =
      std::find_if(extents.begin(), extents.end(), [](const Expr& e) { return is_const(e, 1); });
  if (single == extents.end() || !is_computed_alike(allocation)) fail_to_spread(allocation.name, lanes);
  return {.dimension = static_cast<std::size_t>(single - extents.begin()),
          .is_single = true,
          .is_everywhere = !is_partly_computed(allocation.body[0], allocation.name)};
}

void fail_to_spread(const std::string& tensor, int lanes) {
  throw ScheduleError(
      fmt::format("{0}.store_in(SubGroup): work-item i of the sub-group must compute the elements i, i + "
                  "{1}, ... of one dimension, but the loops compute others; split a dimension of {0} by {1}, "
                  "not with Tail::ShiftInwards, and give the inner loop to gpu_threads",
                  tensor, lanes));
}

}  // namespace tensordsl::lower
