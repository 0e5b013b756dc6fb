#include "schedules/rows.h"

#include <algorithm>

#include "classify/classify.h"
#include "ir/expr_node.h"
#include "ir/simplify.h"
#include "schedule/schedule.h"
#include "schedules/loops.h"

namespace tensordsl::schedules {
namespace {

using Dims = std::vector<std::string>;

/// The dimension among `dims` that `index` is, or is a quotient of; a dimension of -1 if it is constant.
std::optional<RowDim> row_dim(const classify::IndexMap& index, const Dims& dims) {
  const auto at = [&](const std::string& name, int run) -> std::optional<RowDim> {
    const auto found = std::ranges::find(dims, name);
    if (found == dims.end()) return std::nullopt;
    return RowDim{static_cast<int>(found - dims.begin()), run};
  };
  if (index.kind == classify::IndexKind::Affine && index.form.is_constant()) return RowDim{-1, 0};
  const Expr& e = index.index;
  if (e->kind == ir::ExprKind::Var) return at(e->name, 1);
  if (e->kind != ir::ExprKind::Div || (*e)[0]->kind != ir::ExprKind::Var) return std::nullopt;
  const std::int64_t* divisor = ir::as_int((*e)[1]);
  return divisor ? at((*e)[0]->name, static_cast<int>(*divisor)) : std::nullopt;
}

/// How the output reads its anchors.
class RowFinder {
 public:
  explicit RowFinder(const Group& group) : group_(group), innermost_(group.anchors.size(), -1) {}

  std::optional<Rows> run() {
    for (const Func& func : group_.epilogue) {
      for (const classify::Access& read : classify::classify(func.contents()).reads) {
        if (is_read_elsewhere(func, read)) return std::nullopt;
        const auto anchor = anchor_of(read);
        if (anchor && !add(read, func.contents().dims, *anchor)) return std::nullopt;
      }
    }
    if (!runs_) return std::nullopt;
    Rows rows;
    for (const int dim : memory_order(group_.stored[0].layout))
      rows.dims.push_back({dim, (*runs_)[static_cast<std::size_t>(dim)]});
    rows.innermost = innermost_;
    return rows;
  }

 private:
  std::optional<std::size_t> anchor_of(const classify::Access& read) const {
    const auto found = std::ranges::find_if(
        group_.anchors, [&](const Func& anchor) { return anchor.shared() == read.tensor; });
    if (found == group_.anchors.end()) return std::nullopt;
    return static_cast<std::size_t>(found - group_.anchors.begin());
  }

  /// Whether `func` reads another Func of the epilogue at other places than its own.
  bool is_read_elsewhere(const Func& func, const classify::Access& read) const {
    const bool is_epilogue = std::ranges::any_of(
        group_.epilogue, [&](const Func& other) { return other.shared() == read.tensor; });
    return is_epilogue && !classify::reads_in_place(func.contents(), read.name);
  }

  /// A dimension along which two reads have other rows is in one row.
  bool add(const classify::Access& read, const Dims& dims, std::size_t anchor) {
    const StoredTensor& stored = group_.stored[0];
    if (dims.size() != stored.extents.size()) return false;
    const int innermost = memory_order(stored.layout).back();
    std::vector<int> runs(dims.size());
    for (std::size_t i = 0; i < read.indices.size(); ++i) {
      const auto found = row_dim(read.indices[i], dims);
      if (!found) return false;
      if (found->dim < 0) continue;
      const auto dim = static_cast<std::size_t>(found->dim);
      const bool is_cut = found->run == 1 || ir::remainder_of(stored.extents[dim], found->run) == 0;
      runs[dim] = is_cut ? found->run : 0;
      if (found->dim == innermost && found->run == 1) innermost_[anchor] = static_cast<int>(i);
    }
    if (!runs_) runs_ = runs;
    for (std::size_t d = 0; d < runs.size(); ++d) {
      if ((*runs_)[d] != runs[d]) (*runs_)[d] = 0;
    }
    return true;
  }

  const Group& group_;
  std::optional<std::vector<int>> runs_;
  std::vector<int> innermost_;
};

/// The axis of the anchor's domain that is, up to an offset, the innermost index of something that it reads.
std::string axis_along_memory(const Group& group, const Func& anchor) {
  const classify::Classification kind = classify::classify(anchor.contents());
  for (const classify::Access& read : kind.reads) {
    const auto operand = std::ranges::find_if(
        group.operands, [&](const GroupOperand& o) { return o.input.shared() == read.tensor; });
    if (operand == group.operands.end()) continue;
    const auto innermost = static_cast<std::size_t>(memory_order(operand->stored.layout).back());
    for (const ir::Definition& definition : anchor.contents().definitions) {
      for (const ir::ReductionAxis& axis : definition.domain) {
        if (read.indices[innermost].coefficient_of(axis.name) == 1) return axis.name;
      }
    }
  }
  return "";
}

}  // namespace

bool Rows::runs_along_memory() const {
  return std::ranges::any_of(axes, [](const std::string& axis) { return !axis.empty(); });
}

bool Rows::are_shared() const {
  return std::ranges::any_of(dims, [](const RowDim& dim) { return dim.run != 1; });
}

std::optional<Rows> rows_of(const Group& group) {
  auto rows = RowFinder(group).run();
  if (!rows) return std::nullopt;
  for (const Func& anchor : group.anchors) rows->axes.push_back(axis_along_memory(group, anchor));
  return rows;
}

}  // namespace tensordsl::schedules
