#include "schedules/sliding_parts.h"

#include <algorithm>
#include <array>
#include <map>

#include "classify/classify.h"
#include "ir/expr_node.h"
#include "ir/simplify.h"
#include "schedule/schedule.h"
#include "schedules/loops.h"

namespace tensordsl::schedules {
namespace {

using classify::Class;
using classify::Classification;
using ir::Interval;

using Box = std::vector<Interval>;

/// Of the ranges of a definition's variables, where it reads `of`; nothing if it does not, or it is not
/// known.
std::optional<Box> box_read(const Func& reader, const ir::Bounds& ranges, const Func& of) {
  std::optional<Box> box;
  bool is_known = true;
  for (const ir::Definition& definition : reader.contents().definitions) {
    ir::Bounds bounds = ranges;
    for (const ir::ReductionAxis& axis : definition.domain) {
      const Interval first = ir::bounds_of(axis.min), count = ir::bounds_of(axis.extent);
      bounds[axis.name] = {first.low, first.high + count.high - 1};
    }
    for (const Expr& value : definition.values) {
      ir::visit(value, [&](const Expr& e) {
        if (e->kind != ir::ExprKind::Call || e->function != of.shared()) return true;
        if (!box) box.emplace(e->operands.size(), Interval{INT64_MAX, INT64_MIN});
        for (std::size_t d = 0; d < e->operands.size(); ++d) {
          const Interval at = ir::bounds_of(e->operands[d], bounds);
          is_known = is_known && at.low != INT64_MIN && at.high != INT64_MAX;
          (*box)[d] = {std::min((*box)[d].low, at.low), std::max((*box)[d].high, at.high)};
        }
        return true;
      });
    }
  }
  return is_known ? box : std::nullopt;
}

ir::Bounds ranges_of(const Func& func, const Box& box) {
  ir::Bounds ranges;
  for (std::size_t d = 0; d < box.size(); ++d) ranges[func.contents().dims[d]] = box[d];
  return ranges;
}

/// The elements of `result` that the windows need: directly, or through a Func of the prologue.
std::optional<Box> needed_of(const Group& group, const Func& window, const Func& result, const Box& all) {
  const ir::Bounds ranges = ranges_of(window, all);
  if (auto box = box_read(window, ranges, result)) return box;
  for (const Func& padded : group.prologue) {
    const auto of_padded = box_read(window, ranges, padded);
    if (!of_padded || of_padded->size() != padded.contents().dims.size()) continue;
    if (auto box = box_read(padded, ranges_of(padded, *of_padded), result)) return box;
  }
  return std::nullopt;
}

/// What becomes of the sum before windows read it: the last such Func.
std::optional<Func> result_of(const Group& group, const Func& window) {
  const auto reads = [](const Func& reader, const Func& of) {
    const Classification kind = classify::classify(reader.contents());
    return std::ranges::any_of(kind.reads, [&](const auto& read) { return read.tensor == of.shared(); });
  };
  for (const Func& func : group.epilogue) {
    if (reads(window, func)) return func;
    for (const Func& padded : group.prologue) {
      if (reads(window, padded) && reads(padded, func)) return func;
    }
  }
  return std::nullopt;
}

/// Dimension by dimension: the window's element lies at the same channel, and at rows and columns of its own.
bool slides_in_place(const Classification& kind, const ir::Function& window, std::array<int, 2> slid) {
  const auto slides = [&](const classify::Access& read) {
    if (read.indices.size() != window.dims.size()) return false;
    for (std::size_t d = 0; d < window.dims.size(); ++d) {
      const bool is_slid = std::ranges::count(slid, static_cast<int>(d)) > 0;
      if (is_slid ? read.indices[d].coefficient_of(window.dims[d]) < 1
                  : !read.indices[d].is_axis(window.dims[d]))
        return false;
    }
    return true;
  };
  return std::ranges::any_of(kind.reads, slides);
}

std::int64_t number(const Expr& e) {
  const std::int64_t* value = ir::as_int(ir::simplify(e));
  return value ? *value : 0;
}

}  // namespace

std::optional<SlidingParts> sliding_parts(const Group& group, const std::vector<Expr>& extents,
                                          const Layout& layout) {
  if (group.anchors.size() != 2 || group.outputs.size() != 1 || extents.size() < 3) return std::nullopt;
  SlidingParts parts;
  parts.sum = group.anchors[0];
  parts.window = group.anchors[1];
  parts.out = group.outputs[0];
  if (parts.sum.updates() != 1 || parts.window.updates() != 1) return std::nullopt;
  const Classification sum = classify::classify(parts.sum.contents()),
                       window = classify::classify(parts.window.contents());
  const bool is_of_one_channel = !window.windows.empty() && (!window.roles || window.roles->k.empty());
  if (sum.kind != Class::Contraction || !is_of_one_channel) return std::nullopt;
  if (window.kind != Class::Reduction && window.kind != Class::Contraction) return std::nullopt;
  const auto result = result_of(group, parts.window);
  const auto rank = static_cast<int>(extents.size());
  if (!result || result->rank() != rank || parts.sum.rank() != rank || parts.window.rank() != rank ||
      parts.out.rank() != rank)
    return std::nullopt;
  parts.result = *result;

  std::vector<int> order = memory_order(layout);
  parts.channel = order[order.size() - 1];
  parts.columns = order[order.size() - 2];
  parts.rows = order[order.size() - 3];
  parts.others.assign(order.begin(), order.end() - 3);
  const ir::Function& function = parts.window.contents();
  if (!slides_in_place(window, function, {parts.rows, parts.columns})) return std::nullopt;
  // The sum is over what all of a tile's channels share.
  if (std::ranges::count(sum.roles->n, parts.sum.contents().dims[static_cast<std::size_t>(parts.channel)]) ==
      0)
    return std::nullopt;

  Box all;
  for (const Expr& extent : extents) {
    const std::int64_t count = number(extent);
    if (count < 1) return std::nullopt;
    all.push_back({0, count - 1});
  }
  const auto needed = needed_of(group, parts.window, parts.result, all);
  if (!needed) return std::nullopt;
  const auto count = [](const Box& box, int dim) {
    const Interval& range = box[static_cast<std::size_t>(dim)];
    return range.high - range.low + 1;
  };
  SlidingProblem& problem = parts.problem;
  problem.channels = count(all, parts.channel);
  problem.rows = count(all, parts.rows);
  problem.columns = count(all, parts.columns);
  for (const int dim : parts.others) problem.batch *= count(all, dim);
  problem.source_rows = count(*needed, parts.rows);
  problem.source_columns = count(*needed, parts.columns);
  problem.steps = number(sum.steps);
  problem.window_steps = number(window.steps);
  problem.has_weights = window.kind == Class::Contraction;
  for (const classify::Window& w : window.windows) {
    if (w.dim != function.dims[static_cast<std::size_t>(parts.rows)]) continue;
    problem.window_rows = (number(w.extent) - 1) * w.dilation + 1;
    problem.stride = w.stride;
  }
  return problem.steps > 0 && problem.window_steps > 0 ? std::optional(parts) : std::nullopt;
}

}  // namespace tensordsl::schedules
