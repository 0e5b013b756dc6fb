#include "schedules/product/staged_product.h"

#include "schedule/func_schedule.h"
#include "schedules/product/copied_weights.h"
#include "schedules/product/dot_sums.h"
#include "schedules/product/product_parts.h"
#include "schedules/product/staged_loops.h"
#include "schedules/support/ceil_div.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

StagedTile staged_tile_of(const Point& point) {
  return {point["vectors"],       point["channel_threads"], point["pixels"],
          point["pixel_threads"], point["row_threads"],     point["depth"],
          point["slices"],        point["buffers"],         point["unrolled"]};
}

/// Each work-item leaves its slice in local memory, and then all of a group add up the slices.
void add_up_slices(const ProductParts& p, Func part, const Var& tiles, const TileLoops& in_tile,
                   const StagedTile& tile) {
  Func parts = part.in(p.sum), out = p.out, sum = p.sum;
  parts.compute_at(out, tiles).store_in(Local);
  const auto of_parts = [&](int dim) { return dim_of(parts, dim + 1); };
  const TileLoops loops{p.row ? std::optional(of_parts(*p.row)) : std::nullopt, of_parts(*p.pixel),
                        of_parts(p.channel)};
  std::vector<Var> places;
  if (in_tile.rows) places.push_back(*in_tile.rows);
  places.push_back(in_tile.pixels);
  sum.compute_at(out, share_vectors(out, places, in_tile.channels, tile));
  sum.vectorize(dim_of(sum, p.channel), kStagedLanes);
  sum.update().unroll(axes_of(sum)[0]).vectorize(dim_of(sum, p.channel), kStagedLanes);
  part.compute_at(parts, run_by_items(parts, loops, dim_of(parts, 0), tile));
}

/// Stages the tile of a factor that a chunk needs in local memory, and the elements of `step` in registers.
/// `inner`: the dimension along which both are contiguous; `gap`: numbers between the rows in local memory.
void stage_product_factor(Func factor, const Func& reader, const Var& chunk, const Var& step, int inner,
                          int gap, const StagedTile& tile) {
  factor.compute_at(reader.update(), chunk).store_in(Local).layout(with_innermost(factor.rank(), inner, gap));
  if (tile.buffers == 2) factor.double_buffer();
  std::vector<Var> places;
  for (int d = 0; d < factor.rank(); ++d) {
    if (d != inner) places.push_back(dim_of(factor, d));
  }
  Func own = factor.in(reader);
  share_vectors(factor, places, dim_of(factor, inner), tile);
  own.compute_at(reader.update(), step).layout(with_innermost(factor.rank(), inner, 0));
  own.vectorize(dim_of(own, inner), kStagedLanes);
  for (int d = 0; d < own.rank(); ++d) own.unroll(dim_of(own, d));
}

/// True if the device multiplies four steps in one instruction and both factors are contiguous along the
/// depth.
bool has_dots(const StoredGroup& group, const ProductParts& parts, const Target& target) {
  return parts.input_depth >= 0 && parts.weights_depth >= 0 &&
         has_dot_sums(group, group.class_of(group.anchors[0]), target);
}

/// The problem as a tile is chosen for it: four steps that are one count as one, and are as large as a
/// number.
StagedProblem in_words(StagedProblem problem) {
  problem.depth /= kStagedLanes;
  return problem;
}

StagedTile first_tile(const ProductParts& parts, bool dots, const Target& target) {
  if (dots) {
    if (auto tile = choose_staged_tile(in_words(parts.problem), target)) {
      tile->depth *= kStagedLanes;
      return *tile;
    }
  }
  return *choose_staged_tile(parts.problem, target);
}

/// True if the weights are vectors along the channels, or a copy that is pays for itself: without it, each
/// work-item reads them for pixels of its own.
bool has_weights_along_channels(const ProductParts& parts, const StagedTile& tile, const Target& target) {
  if (!parts.strided_weights) return true;
  const StagedProblem& problem = parts.problem;
  const std::int64_t reads = ceil_div(problem.pixels, tile.pixels) * problem.rows * problem.others;
  return does_copy_pay(*parts.strided_weights, reads, kStagedLanes, target);
}

}  // namespace

bool applies_staged_product(const StoredGroup& group, const Target& target) {
  if (target.group_items == 1 || !target.has_local_memory || target.prefers_images) return false;
  const auto parts = product_parts(group);
  if (!parts || !parts->pixel || parts->depth.empty()) return false;
  const auto tile = choose_staged_tile(parts->problem, target);
  return tile && has_weights_along_channels(*parts, *tile, target);
}

Space staged_product_space(const StoredGroup& group, const Target& target) {
  const ProductParts parts = *product_parts(group);
  const bool dots = has_dots(group, parts, target);
  const StagedTile tile = first_tile(parts, dots, target);
  Space space = staged_space(parts.problem, tile);
  std::vector<int> depths{8, 16, 32, 64, 128};
  if (dots) depths.insert(depths.end(), {256, 512});
  space.knobs.insert(
      space.knobs.end() - 1,
      {{"depth", depths}, {"slices", {1, 2, 4, 8}}});  // before the buffers, as configurations are listed
  space.knobs.push_back({"unrolled", {4, 8, 16}});
  for (const auto& [knob, value] :
       {std::pair{"depth", tile.depth}, {"slices", tile.slices}, {"unrolled", tile.unrolled}})
    space.first.set(knob, value);
  space.knobs.push_back({"dots", dots ? std::vector{1, 0} : std::vector{0}});
  space.first.set("dots", dots ? 1 : 0);
  return space;
}

PointOutlines staged_product_outlines(const StoredGroup& group, const Target& target) {
  return
      [problem = product_parts(group)->problem, target](const Point& point) -> std::optional<PointOutline> {
        StagedTile tile = staged_tile_of(point);
        const bool dots = point["dots"] == 1;
        if (dots) tile.depth /= kStagedLanes;
        const StagedProblem counted = dots ? in_words(problem) : problem;
        if (!fits(counted, tile, target)) return std::nullopt;
        return outline_of(counted, tile, target);
      };
}

WantedStorage staged_product_storage(const StoredGroup& group, const Point& point) {
  const ProductParts parts = *product_parts(group);
  if (point["dots"] == 0) return staged_weight_layouts(group, parts, staged_tile_of(point));
  WantedStorage wanted;
  for (std::size_t i = 0; i < group.operands.size(); ++i) {
    if (group.operands[i].is_constant && group.operands[i].input.shared() == parts.weights.shared())
      wanted.emplace(i, ConstantStorage{with_innermost(parts.weights.rank(), parts.weights_depth, 0)});
  }
  return wanted;
}

void apply_staged_product(const StoredGroup& group, const Point& point, const Target& target) {
  ProductParts p = *product_parts(group);
  const StagedTile tile = staged_tile_of(point);
  if (p.strided_weights) {
    p.weights = copy_weights(group, group.class_of(p.sum), *p.strided_weights, p.sum,
                             dim_of(p.sum, p.channel).name(), packed_channels(p, tile), target);
  }
  const Var chunk("chunk"), quad("quad"), step("step"), in_chunk("in_chunk"), slice("slice"),
      in_slice("in_slice"), some("some"), in_some("in_some");
  std::vector<Var> axes = axes_of(p.sum);
  std::erase_if(axes, [&](const Var& axis) { return axis.name() == p.depth; });

  // Takes the sum itself, or the part that a slice of each chunk adds to it.
  const bool is_sliced = tile.slices > 1;
  Results results{p.sum, *p.pixel, p.channel};
  p.sum.update().split(Var(p.depth), chunk, in_chunk, tile.depth, Tail::Exact);
  if (is_sliced) {
    p.sum.update().split(in_chunk, slice, in_slice, tile.depth / tile.slices, Tail::Exact);
    results = {p.sum.update().rfactor(slice, Var("slices")), *p.pixel + 1, p.channel + 1};
  }
  Func part = results.func;
  const auto [tiles, in_tile] = run_tiles_as_groups(p, tile);
  if (is_sliced) {
    add_up_slices(p, part, tiles, in_tile, tile);
  } else {
    part.compute_at(p.out, run_by_items(p.out, in_tile, std::nullopt, tile));
  }
  keep_in_registers(part, results, {});
  // Reads of one quad of steps overlap the products of the one before where both are unrolled.
  Var steps = is_sliced ? in_slice : in_chunk;
  axes.push_back(chunk);
  if (tile.depth / tile.slices > tile.unrolled) {
    part.update().split(steps, some, in_some, tile.unrolled, Tail::Exact);
    axes.push_back(some);
    steps = in_some;
  }
  part.update().split(steps, quad, step, kStagedLanes, Tail::Exact);
  const bool dots = point["dots"] == 1;
  axes.push_back(quad);
  if (dots) {
    keep_in_registers(part.update(), results, axes, step);
  } else {
    axes.push_back(step);
    keep_in_registers(part.update(), results, axes);
  }
  part.update().unroll(quad).unroll(step);

  // A gap of a vector: work-items that read the same step of rows one below the other find it in different
  // banks.
  const Func input = p.input.is_input() ? p.input.in(part) : p.input;
  stage_product_factor(input, part, chunk, quad, p.input_depth, kStagedLanes, tile);
  if (dots) {
    stage_product_factor(p.weights.in(part), part, chunk, quad, p.weights_depth, kStagedLanes, tile);
  } else {
    stage_product_factor(p.weights.in(part), part, chunk, step, p.weights_channel, 0, tile);
  }
}

}  // namespace tensordsl::schedules
