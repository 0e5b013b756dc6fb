#include "schedules/rows.h"

#include <algorithm>
#include <cstdint>

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

/// The dimensions as they lie in memory, the outermost first; those of extent 1 before all others.
std::vector<int> order_of_neighbors(const StoredTensor& stored) {
  std::vector<int> order = memory_order(stored.layout);
  std::ranges::stable_partition(order, [&](int d) {
    const std::int64_t* extent = ir::as_int(stored.extents[static_cast<std::size_t>(d)]);
    return extent && *extent == 1;
  });
  return order;
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
    for (const int dim : order_of_neighbors(group_.stored[0]))
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
    const int innermost = order_of_neighbors(stored).back();
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

/// The reduction axes that are, up to an offset, indices of `read`, in the order in which they run through
/// what is read; nothing if its innermost index is none.
std::vector<std::string> axes_of(const classify::Access& read, const StoredTensor& stored,
                                 const ir::Definition& definition) {
  std::vector<std::string> axes;
  bool is_innermost = false;
  for (const int dim : order_of_neighbors(stored)) {
    const classify::IndexMap& index = read.indices[static_cast<std::size_t>(dim)];
    const auto axis = std::ranges::find_if(
        definition.domain, [&](const ir::ReductionAxis& a) { return index.coefficient_of(a.name) == 1; });
    is_innermost = axis != definition.domain.end();
    if (!is_innermost) continue;
    std::erase(axes, axis->name);
    axes.push_back(axis->name);
  }
  return is_innermost ? axes : std::vector<std::string>();
}

/// The axes of the anchor's domain, that along neighbors of something that it reads last; nothing if none is.
std::vector<std::string> axes_along_memory(const Group& group, const Func& anchor) {
  const classify::Classification kind = classify::classify(anchor.contents());
  for (const classify::Access& read : kind.reads) {
    const auto operand = std::ranges::find_if(
        group.operands, [&](const GroupOperand& o) { return o.input.shared() == read.tensor; });
    if (operand == group.operands.end()) continue;
    for (const ir::Definition& definition : anchor.contents().definitions) {
      std::vector<std::string> axes = axes_of(read, operand->stored, definition);
      if (!axes.empty()) return axes;
    }
  }
  return {};
}

}  // namespace

bool Rows::runs_along_memory() const {
  return std::ranges::any_of(axes, [](const auto& of_anchor) { return !of_anchor.empty(); });
}

bool Rows::are_shared() const {
  return std::ranges::any_of(dims, [](const RowDim& dim) { return dim.run != 1; });
}

std::optional<Rows> rows_of(const Group& group) {
  auto rows = RowFinder(group).run();
  if (!rows) return std::nullopt;
  // All of a tensor that is one row is the only run of its outermost dimension.
  RowDim& outermost = rows->dims.front();
  const bool is_one_row = std::ranges::all_of(rows->dims, [](const RowDim& dim) { return dim.run == 0; });
  const std::int64_t* extent = ir::as_int(group.stored[0].extents[static_cast<std::size_t>(outermost.dim)]);
  if (is_one_row && extent && *extent > 0) outermost.run = static_cast<int>(*extent);
  for (const Func& anchor : group.anchors) rows->axes.push_back(axes_along_memory(group, anchor));
  return rows;
}

}  // namespace tensordsl::schedules
