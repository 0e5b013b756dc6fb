#include "schedules/window/staged_windows.h"

#include <algorithm>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/product/product_parts.h"
#include "schedules/product/staged_loops.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

/// Limits of the input positions that a chunk keeps whole, and of the steps that its loop unrolls.
constexpr std::int64_t kMostWindowDepth = 64, kMostUnrolledSteps = 32, kUnrolledDepth = 4;

/// Returns the parts of a product with a window and an axis around it; else nullopt.
std::optional<ProductParts> window_parts(const StoredGroup& group) {
  auto parts = product_parts(group);
  if (!parts || !parts->pixel || parts->window.empty() || parts->strided_weights) return std::nullopt;
  StagedProblem& problem = parts->problem;
  const std::vector<ir::ReductionAxis>& domain = parts->sum.contents().definitions.back().domain;
  const auto window = std::ranges::find(domain, parts->window, &ir::ReductionAxis::name);
  problem.window = *ir::as_int(window->extent);
  problem.taps /= problem.window;
  const std::size_t within = parts->depth.empty() ? 1 : 2;
  // staged_product takes windows whose depth is whole chunks.
  constexpr std::int64_t kFewestOfProduct = 8;
  if (problem.window < 2 || domain.size() <= within || problem.depth > kMostWindowDepth ||
      problem.depth % kFewestOfProduct == 0)
    return std::nullopt;
  return parts;
}

StagedTile window_tile_of(const ProductParts& parts, const Point& point) {
  return {point["vectors"],
          point["channel_threads"],
          point["pixels"],
          point["pixel_threads"],
          point["row_threads"],
          static_cast<int>(parts.problem.depth),
          1,
          point["buffers"]};
}

/// Stages the input of a chunk in local memory, with the layout of the input itself.
void stage_rows(Func rows, const Func& reader, const Var& chunk, const Layout& layout,
                const StagedTile& tile) {
  rows.compute_at(reader.update(), chunk).store_in(Local);
  if (tile.buffers == 2) rows.double_buffer();
  std::vector<Layout::Term> terms;
  std::vector<Var> order;
  for (const int dim : memory_order(layout)) {
    terms.push_back({.dim = dim});
    order.push_back(dim_of(rows, dim));
  }
  rows.layout(Layout::of(terms)).reorder(order);
  share_places(rows, order, tile);
}

/// Returns the layout of the input, or of the operand that its prologue reads.
Layout layout_of(const StoredGroup& group, const Func& input) {
  for (const definitions::GroupOperand& operand : group.operands) {
    if (operand.input.shared() == input.shared()) return operand.stored.layout;
  }
  for (const classify::Access& read : group.class_of(input).reads) {
    for (const definitions::GroupOperand& operand : group.operands) {
      if (operand.input.shared() == read.tensor && operand.stored.layout.rank() == input.rank())
        return operand.stored.layout;
    }
  }
  return Layout::row_major(input.rank());
}

}  // namespace

bool applies_staged_windows(const StoredGroup& group, const Target& target) {
  if (target.group_items == 1 || !target.has_local_memory || target.prefers_images) return false;
  const auto parts = window_parts(group);
  return parts && choose_staged_tile(parts->problem, target);
}

Space staged_windows_space(const StoredGroup& group, const Target& target) {
  const StagedProblem problem = window_parts(group)->problem;
  return staged_space(problem, *choose_staged_tile(problem, target));
}

PointOutlines staged_windows_outlines(const StoredGroup& group, const Target& target) {
  return [parts = *window_parts(group), target](const Point& point) -> std::optional<PointOutline> {
    const StagedTile tile = window_tile_of(parts, point);
    if (!fits(parts.problem, tile, target)) return std::nullopt;
    return outline_of(parts.problem, tile, target);
  };
}

WantedStorage staged_windows_storage(const StoredGroup& group, const Point& point) {
  const ProductParts parts = *window_parts(group);
  return staged_weight_layouts(group, parts, window_tile_of(parts, point));
}

void apply_staged_windows(const StoredGroup& group, const Point& point, const Target&) {
  ProductParts p = *window_parts(group);
  const StagedTile tile = window_tile_of(p, point);
  const Results results{p.sum, *p.pixel, p.channel};
  const auto [tiles, in_tile] = run_tiles_as_groups(p, tile);
  p.sum.compute_at(p.out, run_by_items(p.out, in_tile, std::nullopt, tile));
  keep_in_registers(p.sum, results, {});

  std::vector<Var> axes;
  for (const Var& axis : axes_of(p.sum)) {
    if (axis.name() != p.depth && axis.name() != p.window) axes.push_back(axis);
  }
  const Var chunk = axes.back(), window(p.window);
  axes.push_back(window);
  if (!p.depth.empty()) axes.emplace_back(p.depth);
  Stage sum = p.sum.update();
  keep_in_registers(sum, results, axes);
  if (!p.depth.empty() && p.problem.depth <= kUnrolledDepth) sum.unroll(Var(p.depth));
  if (p.problem.window * p.problem.depth <= kMostUnrolledSteps) sum.unroll(window);

  const Func input = p.input.is_input() ? p.input.in(p.sum) : p.input;
  stage_rows(input, p.sum, chunk, layout_of(group, p.input), tile);
  Func weights = p.weights.in(p.sum);
  weights.compute_at(sum, chunk).store_in(Local).layout(with_innermost(weights.rank(), p.weights_channel, 0));
  if (tile.buffers == 2) weights.double_buffer();
  std::vector<Var> places;
  for (int d = 0; d < weights.rank(); ++d) {
    if (d != p.weights_channel) places.push_back(dim_of(weights, d));
  }
  share_vectors(weights, places, dim_of(weights, p.weights_channel), tile);
}

}  // namespace tensordsl::schedules
