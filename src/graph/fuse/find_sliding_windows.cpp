#include "graph/fuse/find_sliding_windows.h"

#include <algorithm>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::graph {
namespace {

using classify::Class;
using classify::Classification;
using definitions::FusedGroup;
using ir::Interval;

/// Returns the indices at which the windows read `result`, as functions of a window's position and step,
/// directly or through the one read of a Func of the prologue. Nullopt if they do not read it, or read it at
/// several indices.
std::optional<std::vector<Expr>> indices_read(const FusedGroup& group, const Func& window,
                                              const Func& result) {
  std::optional<std::vector<Expr>> found;
  int reads = 0;
  const auto add = [&](const std::vector<Expr>& indices) {
    const bool is_known = found && std::ranges::equal(*found, indices, ir::ExprSame());
    reads += is_known ? 0 : 1;
    found = indices;
  };
  const auto visit_calls = [](const Func& reader, const Func& of, const auto& visit) {
    ir::visit(reader.contents().definitions.back().value(), [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Call && e->function == of.shared()) visit(e->operands);
      return true;
    });
  };
  visit_calls(window, result, add);
  for (const Func& padded : group.prologue) {
    visit_calls(window, padded, [&](const std::vector<Expr>& at) {
      ir::Substitution values;
      for (std::size_t d = 0; d < at.size(); ++d) values.emplace(padded.contents().dims[d], at[d]);
      visit_calls(padded, result, [&](const std::vector<Expr>& indices) {
        std::vector<Expr> composed;
        for (const Expr& index : indices) composed.push_back(ir::simplify(ir::substitute(index, values)));
        add(composed);
      });
    });
  }
  return reads == 1 ? found : std::nullopt;
}

/// Returns the Func of the epilogue, computed from the sum, that the windows read.
std::optional<Func> result_of(const FusedGroup& group, const Func& window) {
  const auto found = std::ranges::find_if(
      group.epilogue, [&](const Func& func) { return indices_read(group, window, func).has_value(); });
  return found == group.epilogue.end() ? std::nullopt : std::optional(*found);
}

/// The layout transformation of an index with the windows.
struct Slide {
  std::int64_t stride = 1;  ///< from a window to the next
  std::int64_t extent = 1;  ///< from a window's first element to its last, and that
};

/// Returns the slide of an index that increases with the dimension `dim` and with axes of the window's
/// domain, and depends on nothing else.
std::optional<Slide> slide_of(const Expr& index, const std::string& dim, const ir::Definition& update) {
  const classify::IndexMap map = classify::index_map_of(index);
  if (map.kind != classify::IndexKind::Affine) return std::nullopt;
  Slide slide{map.coefficient_of(dim), 1};
  if (slide.stride < 1) return std::nullopt;
  for (const ir::Term& term : map.form.terms()) {
    if (term.atom->kind != ir::ExprKind::Var || term.coefficient < 0) return std::nullopt;
    if (term.atom->name == dim) continue;
    const auto axis = std::ranges::find(update.domain, term.atom->name, &ir::ReductionAxis::name);
    const std::int64_t* extent = axis == update.domain.end() ? nullptr : ir::as_int(axis->extent);
    if (!extent) return std::nullopt;
    slide.extent += (*extent - 1) * term.coefficient;
  }
  return slide;
}

std::int64_t number(const Expr& e) {
  const std::int64_t* value = ir::as_int(ir::simplify(e));
  return value ? *value : 0;
}

}  // namespace

std::optional<definitions::SlidingForm> find_sliding_windows(const FusedGroup& group,
                                                             const std::vector<Expr>& extents,
                                                             const Layout& layout) {
  if (group.anchors.size() != 2 || group.outputs.size() != 1 || extents.size() < 3) return std::nullopt;
  definitions::SlidingForm form;
  form.sum = group.anchors[0];
  form.window = group.anchors[1];
  form.out = group.outputs[0];
  if (form.sum.updates() != 1 || form.window.updates() != 1) return std::nullopt;
  const Classification sum = classify::classify(form.sum.contents()),
                       window = classify::classify(form.window.contents());
  const bool is_of_one_channel = !window.windows.empty() && (!window.roles || window.roles->k.empty());
  if (sum.kind != Class::Contraction || !is_of_one_channel) return std::nullopt;
  if (window.kind != Class::Reduction && window.kind != Class::Contraction) return std::nullopt;
  const auto result = result_of(group, form.window);
  const auto rank = static_cast<int>(extents.size());
  if (!result || result->rank() != rank || form.sum.rank() != rank || form.window.rank() != rank ||
      form.out.rank() != rank)
    return std::nullopt;
  form.result = *result;

  std::vector<int> order = schedules::memory_order(layout);
  form.channel = order[order.size() - 1];
  form.columns = order[order.size() - 2];
  form.rows = order[order.size() - 3];
  form.others.assign(order.begin(), order.end() - 3);
  // The axes of the sum must be shared by all channels of a tile.
  if (std::ranges::count(sum.roles->n, form.sum.contents().dims[static_cast<std::size_t>(form.channel)]) == 0)
    return std::nullopt;

  const ir::Function& function = form.window.contents();
  const ir::Definition& update = function.definitions[1];
  const std::vector<Expr> indices = *indices_read(group, form.window, form.result);
  std::vector<std::int64_t> shape, source;
  ir::Bounds bounds;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    shape.push_back(number(extents[d]));
    if (shape.back() < 1) return std::nullopt;
    bounds[function.dims[d]] = {0, shape.back() - 1};
  }
  for (const ir::ReductionAxis& axis : update.domain) {
    const Interval first = ir::bounds_of(axis.min), count = ir::bounds_of(axis.extent);
    bounds[axis.name] = {first.low, first.high + count.high - 1};
  }
  std::optional<Slide> along_rows;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const auto dim = static_cast<int>(d);
    if (dim == form.rows || dim == form.columns) {
      const auto slide = slide_of(indices[d], function.dims[d], update);
      if (!slide) return std::nullopt;
      if (dim == form.rows) along_rows = slide;
    } else if (!classify::index_map_of(indices[d]).is_axis(function.dims[d])) {
      return std::nullopt;
    }
    const Interval range = ir::bounds_of(indices[d], bounds);
    if (range.low == INT64_MIN || range.high == INT64_MAX) return std::nullopt;
    source.push_back(range.high - range.low + 1);
  }
  definitions::SlidingProblem& problem = form.problem;
  const auto of = [](const std::vector<std::int64_t>& counts, int dim) {
    return counts[static_cast<std::size_t>(dim)];
  };
  problem.channels = of(shape, form.channel);
  problem.rows = of(shape, form.rows);
  problem.columns = of(shape, form.columns);
  for (const int dim : form.others) problem.batch *= of(shape, dim);
  problem.source_rows = of(source, form.rows);
  problem.source_columns = of(source, form.columns);
  problem.steps = number(sum.steps);
  problem.window_steps = number(window.steps);
  problem.has_weights = window.kind == Class::Contraction;
  problem.window_rows = along_rows->extent;
  problem.stride = along_rows->stride;
  return problem.steps > 0 && problem.window_steps > 0 ? std::optional(form) : std::nullopt;
}

}  // namespace tensordsl::graph
