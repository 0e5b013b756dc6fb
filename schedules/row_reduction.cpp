#include "schedules/row_reduction.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "classify/classify.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"
#include "schedules/loops.h"
#include "schedules/rows.h"

namespace tensordsl::schedules {

using classify::Class;
using classify::Classification;

namespace {

/// The loops of the output, the outermost first: over rows, and over the elements of one.
struct RowLoops {
  std::vector<Var> rows, elements;

  void reorder(Func out) const {
    std::vector<Var> order = rows;
    order.insert(order.end(), elements.begin(), elements.end());
    out.reorder(order);
  }
};

RowLoops split_into_rows(Func out, const Rows& rows) {
  RowLoops loops;
  for (const RowDim& row : rows.dims) {
    const Var dim = dim_of(out, row.dim);
    if (row.run == 1) {
      loops.rows.push_back(dim);
    } else if (row.run == 0) {
      loops.elements.push_back(dim);
    } else {
      const Var run("run" + std::to_string(row.dim)), member("member" + std::to_string(row.dim));
      out.split(dim, run, member, row.run, Tail::Exact);
      loops.rows.push_back(run);
      loops.elements.push_back(member);
    }
  }
  return loops;
}

/// The extent of the output's innermost dimension; nothing if it is not known.
std::optional<std::int64_t> width_of(const Group& group, const Rows& rows) {
  const RowDim& innermost = rows.dims.back();
  if (!is_known(group.stored[0], innermost.dim)) return std::nullopt;
  return innermost.run > 1 ? innermost.run
                           : likely_shape(group.stored[0])[static_cast<std::size_t>(innermost.dim)];
}

/// How many rows there are; a likely number where extents are open.
std::int64_t count_rows(const Group& group, const Rows& rows) {
  const std::vector<std::int64_t> extents = likely_shape(group.stored[0]);
  std::int64_t count = 1;
  for (const RowDim& row : rows.dims) {
    if (row.run > 0) count *= std::max<std::int64_t>(1, extents[static_cast<std::size_t>(row.dim)] / row.run);
  }
  return count;
}

/// Whether what is accumulated may be so in parts.
bool has_parts(const Func& anchor) {
  const schedule::ScheduledFunction& function = anchor.contents();
  return anchor.updates() == 1 && !function.is_tuple() &&
         schedule::traits_of(function, function.definitions[1]).is_associative;
}

/// Steps along the reduction axis; 64 where that is not known.
std::int64_t steps_of(const Func& anchor, const std::string& name) {
  for (const ir::ReductionAxis& axis : anchor.contents().definitions[1].domain) {
    const std::int64_t* extent = ir::as_int(axis.extent);
    if (axis.name == name) return extent ? *extent : 64;
  }
  return 1;
}

/// The innermost of `axes`, as many of them as have `wanted` steps together, if there are so many.
std::vector<std::string> innermost_axes(const Func& anchor, const std::vector<std::string>& axes,
                                        std::int64_t wanted) {
  std::vector<std::string> found;
  std::int64_t steps = 1;
  for (auto axis = axes.rbegin(); axis != axes.rend() && (found.empty() || steps < wanted); ++axis) {
    found.insert(found.begin(), *axis);
    steps *= std::max<std::int64_t>(1, steps_of(anchor, *axis));
  }
  return found;
}

/// Rounds of a work-group's parts: the last is seldom whole.
constexpr std::int64_t kRounds = 4;

/// Steps of the longest reduction along a row, over its innermost axes until there are `wanted`.
std::int64_t steps_along(const Group& group, const Rows& rows, std::int64_t wanted) {
  std::int64_t most = 1;
  for (std::size_t i = 0; i < group.anchors.size(); ++i) {
    const Func& anchor = group.anchors[i];
    if (!has_parts(anchor)) continue;
    std::int64_t steps = 1;
    for (const std::string& axis : innermost_axes(anchor, rows.axes[i], wanted))
      steps *= std::max<std::int64_t>(1, steps_of(anchor, axis));
    most = std::max(most, steps);
  }
  return most;
}

/// The update's loops over `axes` become one over their steps in a part, and the dimension `part` of a Func
/// of its own, the partial results, which is returned.
Func factor(Func anchor, const std::vector<std::string>& axes, int parts, const Var& part) {
  const Var step("step"), at("at_part");
  std::vector<Var> order, factored;
  for (const ir::ReductionAxis& other : anchor.contents().definitions[1].domain) {
    if (std::ranges::count(axes, other.name) == 0) order.emplace_back(other.name);
  }
  for (const std::string& axis : axes) factored.emplace_back(axis);
  Stage update = anchor.update();
  if (axes.size() > 1) {
    std::vector<Var> loops = order;
    loops.insert(loops.end(), factored.begin(), factored.end());
    update.reorder(loops);
  }
  update.split(fuse_all(update, factored, "along"), step, at, parts, Tail::Guard);
  Func partial = update.rfactor(at, part);
  order.push_back(step);
  order.push_back(part);
  partial.update().reorder(order);
  return partial;
}

/// A work-item of a CPU computes each of its rows in vectors along it.
void run_along_on_cpu(const Group& group, const Point& point, const Rows& rows) {
  Func out = group.outputs[0];
  RowLoops loops = split_into_rows(out, rows);
  const bool has_vectors = rows.dims.back().run != 1 && point["lanes"] > 1;
  if (has_vectors) {
    const Var vectors("vectors"), lane("lane");
    out.split(loops.elements.back(), vectors, lane, point["lanes"], Tail::ShiftInwards);
    loops.elements.back() = vectors;
    loops.elements.push_back(lane);
  }
  loops.reorder(out);
  if (has_vectors) out.vectorize(loops.elements.back());
  const Var block("block"), row("row_of_block");
  out.split(fuse_all(out, loops.rows, "row"), block, row, point["rows"], Tail::Guard).gpu_blocks(block);
  for (std::size_t i = 0; i < group.anchors.size(); ++i) {
    Func anchor = group.anchors[i];
    anchor.compute_at(out, row);
    if (rows.axes[i].empty() || !has_parts(anchor) || point["parts"] == 1) continue;
    const Var part("part");
    Func partial = factor(anchor, {rows.axes[i].back()}, point["parts"], part);
    partial.compute_at(out, row).vectorize(part);
    partial.update().vectorize(part);
    anchor.update().unroll(part);
  }
}

/// A work-item of a CPU computes as many rows at a time as a vector has lanes.
void run_across_on_cpu(const Group& group, const Point& point, const Rows& rows) {
  Func out = group.outputs[0];
  RowLoops loops = split_into_rows(out, rows);
  const bool has_vectors = rows.dims.back().run == 1 && point["lanes"] > 1;
  const Var vectors("vectors"), lane("lane");
  if (has_vectors) {
    out.split(loops.rows.back(), vectors, lane, point["lanes"], Tail::ShiftInwards);
    loops.rows.back() = vectors;
    loops.elements.push_back(lane);
  }
  loops.reorder(out);
  if (has_vectors) out.vectorize(lane);
  const Var block("block"), row("row_of_block");
  out.split(fuse_all(out, loops.rows, "row"), block, row, point["rows"], Tail::Guard).gpu_blocks(block);
  for (std::size_t i = 0; i < group.anchors.size(); ++i) {
    Func anchor = group.anchors[i];
    anchor.compute_at(out, row);
    if (!has_vectors || rows.innermost[i] < 0) continue;
    const Var across = dim_of(anchor, rows.innermost[i]);
    for (int stage = 0; stage <= anchor.updates(); ++stage) {
      Stage s = stage_of(anchor, stage);
      std::vector<Var> steps;
      for (const ir::ReductionAxis& axis :
           anchor.contents().definitions[static_cast<std::size_t>(stage)].domain) {
        steps.emplace_back(axis.name);
      }
      steps.push_back(across);
      if (steps.size() > 1) s.reorder(steps);
      s.vectorize(across, point["lanes"]).unroll(across);
    }
  }
}

/// A work-group computes a row, its work-items side by side along it.
void run_along_on_gpu(const Group& group, const Point& point, const Rows& rows) {
  Func out = group.outputs[0];
  RowLoops loops = split_into_rows(out, rows);
  loops.reorder(out);
  const Var row = fuse_all(out, loops.rows, "row");
  out.gpu_blocks(row);
  if (!loops.elements.empty()) {
    const Var round("round"), item("item");
    out.split(fuse_all(out, loops.elements, "element"), round, item, point["items"], Tail::Guard);
    out.gpu_threads(item);
  }
  for (std::size_t i = 0; i < group.anchors.size(); ++i) {
    Func anchor = group.anchors[i];
    anchor.compute_at(out, row).store_in(Local);
    if (rows.axes[i].empty() || !has_parts(anchor) || point["parts"] == 1) continue;
    const Var part("part"), sum("sum_of_parts");
    const auto axes = innermost_axes(anchor, rows.axes[i], kRounds * point["parts"]);
    Func partial = factor(anchor, axes, point["parts"], part);
    partial.compute_at(out, row).store_in(Local).gpu_threads(part);
    partial.update().gpu_threads(part);
    constexpr int kSums = 8;  // parts are added up in two steps
    if (point["parts"] <= kSums) continue;
    Func sums = factor(anchor, {part.name()}, kSums, sum);
    sums.compute_at(out, row).store_in(Local).gpu_threads(sum);
    sums.update().gpu_threads(sum);
  }
}

/// A work-item computes a row, beside that of its neighbor.
void run_across_on_gpu(const Group& group, const Point& point, const Rows& rows) {
  Func out = group.outputs[0];
  RowLoops loops = split_into_rows(out, rows);
  loops.reorder(out);
  const Var block("block"), item("item");
  out.split(fuse_all(out, loops.rows, "row"), block, item, point["items"], Tail::Guard);
  out.gpu_blocks(block).gpu_threads(item);
  for (Func anchor : group.anchors) anchor.compute_at(out, item);
}

}  // namespace

bool applies_row_reduction(const Group& group, const Target&) {
  if (group.anchors.empty() || group.outputs.size() != 1 || group.epilogue.empty()) return false;
  bool has_contraction = false, has_windows = false;
  for (const Func& anchor : group.anchors) {
    const Classification classification = classify::classify(anchor.contents());
    const Class kind = classification.kind;
    if (kind != Class::Reduction && kind != Class::Contraction) return false;
    has_contraction = has_contraction || kind == Class::Contraction;
    has_windows = has_windows || !classification.windows.empty();
  }
  const auto rows = rows_of(group);
  if (!rows || std::ranges::none_of(rows->dims, [](const RowDim& row) { return row.run > 0; })) return false;
  if (rows->are_shared()) return true;
  const bool is_plain = !has_contraction && !has_windows;
  return group.anchors.size() > 1 || (rows->runs_along_memory() && is_plain);
}

Space row_reduction_space(const Group& group, const Target& target) {
  const auto rows = *rows_of(group);
  const auto power_up_to = [](std::int64_t most, int limit) {
    int power = 1;
    while (power * 2 <= most && power * 2 <= limit) power *= 2;
    return power;
  };
  const bool is_gpu = target.group_items > 1;
  const int lanes = is_gpu ? 1 : power_up_to(width_of(group, rows).value_or(1), target.vector_width);
  const std::int64_t steps = steps_along(group, rows, is_gpu ? kRounds * target.group_items : 1);
  const int parts = power_up_to(steps, is_gpu ? target.group_items : target.vector_width);
  // Some work-groups for each unit, so that they end together.
  const std::int64_t share = count_rows(group, rows) / (8LL * target.compute_units * lanes);
  return {{{"lanes", powers_of_two(lanes)},
           {"parts", powers_of_two(std::max(parts, 16))},
           {"items", powers_of_two(256)},
           {"rows", powers_of_two(1024)}},
          {{"lanes", lanes},
           {"parts", parts},
           {"items", target.group_items},
           {"rows", is_gpu ? 1 : power_up_to(share, 1024)}}};
}

void apply_row_reduction(const Group& group, const Point& point, const Target& target) {
  const auto rows = *rows_of(group);
  if (target.group_items == 1) {
    (rows.runs_along_memory() ? run_along_on_cpu : run_across_on_cpu)(group, point, rows);
  } else {
    // A work-group for each row of a few steps leaves most of its work-items without work.
    const bool is_long = rows.runs_along_memory() && point["parts"] >= 16;
    (is_long ? run_along_on_gpu : run_across_on_gpu)(group, point, rows);
  }
}

}  // namespace tensordsl::schedules
