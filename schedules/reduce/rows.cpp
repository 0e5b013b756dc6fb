#include "schedules/reduce/rows.h"

#include <algorithm>
#include <cstdint>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

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

/// Returns the dimensions in the order of memory, the outermost first; dimensions of extent 1 before all
/// others.
std::vector<int> order_of_neighbors(const StoredTensor& stored) {
  std::vector<int> order = memory_order(stored.layout);
  std::ranges::stable_partition(order, [&](int d) {
    const std::int64_t* extent = ir::as_int(stored.extents[static_cast<std::size_t>(d)]);
    return extent && *extent == 1;
  });
  return order;
}

/// Finds the rows at which the output reads its anchors.
class RowFinder {
 public:
  explicit RowFinder(const StoredGroup& group)
      : group_(group), innermost_(group.anchors.size(), -1), along_(group.anchors.size()) {}

  std::optional<Rows> run() {
    for (const Func& func : group_.epilogue) {
      for (const classify::Access& read : group_.class_of(func).reads) {
        if (is_read_elsewhere(func, read)) return std::nullopt;
        const auto anchor = anchor_of(read);
        if (anchor && !add(read, func.contents().dims, *anchor)) return std::nullopt;
      }
    }
    if (!runs_ || is_needed_by_other_rows()) return std::nullopt;
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

  /// True if `func` reads another Func of the epilogue at other indices than its own.
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
    along_[anchor].assign(read.indices.size(), -1);
    for (std::size_t i = 0; i < read.indices.size(); ++i) {
      const auto found = row_dim(read.indices[i], dims);
      if (!found) return false;
      if (found->dim < 0) continue;
      along_[anchor][i] = found->dim;
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

  /// True if an anchor that another one reads would be computed again for other rows, like the ranks of which
  /// each element of a TopK takes one.
  bool is_needed_by_other_rows() {
    for (std::size_t i = group_.anchors.size(); i-- > 0;) {
      const Dims& dims = group_.anchors[i].contents().dims;
      if (along_[i].empty()) return true;
      for (const classify::Access& read : group_.class_of(group_.anchors[i]).reads) {
        const auto other = anchor_of(read);
        if (!other || *other == i) continue;
        const std::vector<int> along = along_of(read, dims, along_[i]);
        if (!has_all_rows(along)) return true;
        if (along_[*other].empty()) along_[*other] = along;
      }
    }
    return false;
  }

  /// The output's dimension that each index of the read lies along, of a reader whose own `dims` lie `along`
  /// some; -1: along none.
  static std::vector<int> along_of(const classify::Access& read, const Dims& dims,
                                   const std::vector<int>& along) {
    std::vector<int> result;
    for (const classify::IndexMap& index : read.indices) {
      const auto dim =
          std::ranges::find_if(dims, [&](const std::string& name) { return index.is_axis(name); });
      result.push_back(dim == dims.end() ? -1 : along[static_cast<std::size_t>(dim - dims.begin())]);
    }
    return result;
  }

  /// True if `along` has every dimension that distinguishes rows, so that each row has values of its own.
  bool has_all_rows(const std::vector<int>& along) const {
    for (std::size_t d = 0; d < runs_->size(); ++d) {
      const std::int64_t* extent = ir::as_int(group_.stored[0].extents[d]);
      const bool has_rows = (*runs_)[d] > 0 && !(extent && *extent == 1);
      if (has_rows && std::ranges::count(along, static_cast<int>(d)) == 0) return false;
    }
    return true;
  }

  const StoredGroup& group_;
  std::optional<std::vector<int>> runs_;
  std::vector<int> innermost_;
  std::vector<std::vector<int>>
      along_;  // by anchor, which dimension of the output each of its own lies along
};

/// Returns the reduction axes that are, up to an offset, indices of `read`, in the memory order of the tensor
/// that is read; empty if its innermost index is not an axis.
std::vector<std::string> axes_of_read(const classify::Access& read, const StoredTensor& stored,
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

/// Returns `expr` with the pure Funcs of the group inlined into it.
Expr with_pure_funcs_inlined(const StoredGroup& group, const Expr& expr) {
  const auto is_pure_member = [&](const Expr& call) {
    const auto is_it = [&](const Func& func) { return func.shared() == call->function; };
    return call->function && call->function->definitions.size() == 1 &&
           (std::ranges::any_of(group.prologue, is_it) || std::ranges::any_of(group.epilogue, is_it));
  };
  return ir::rewrite(expr, [&](const Expr& e) {
    if (e->kind != ir::ExprKind::Call || !is_pure_member(e)) return e;
    const ir::Definition& definition = e->function->definitions[0];
    ir::Substitution indices;
    for (std::size_t d = 0; d < e->operands.size(); ++d)
      indices.insert_or_assign(e->function->dims[d], e->operands[d]);
    const auto component = static_cast<std::size_t>(std::max(e->component, 0));
    return with_pure_funcs_inlined(group, ir::substitute(definition.values[component], indices));
  });
}

/// The axes of the anchor's domain, that along neighbors of something that it reads last; nothing if none is.
std::vector<std::string> axes_along_memory(const StoredGroup& group, const Func& anchor) {
  for (const ir::Definition& definition : anchor.contents().definitions) {
    for (const Expr& expr : definition.expressions()) {
      for (const classify::Access& read : classify::accesses_of(with_pure_funcs_inlined(group, expr))) {
        const auto operand = std::ranges::find_if(group.operands, [&](const definitions::GroupOperand& o) {
          return o.input.shared() == read.tensor;
        });
        if (operand == group.operands.end()) continue;
        std::vector<std::string> axes = axes_of_read(read, operand->stored, definition);
        if (!axes.empty()) return axes;
      }
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

std::optional<Rows> rows_of(const StoredGroup& group) {
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
