#include "schedules/window/tiled_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "schedules/product/staged_loops.h"
#include "schedules/support/loops.h"
#include "schedules/support/texels.h"

namespace tensordsl::schedules {
namespace {

std::vector<Var> joined(const std::vector<std::vector<Var>>& parts) {
  std::vector<Var> all;
  for (const std::vector<Var>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// The register tile itself: pixels unrolled, channels in vectors.
void schedule_tile_stage(Stage stage, const std::vector<Var>& order, const std::optional<Var>& row,
                         const Var& pixel, const Var& channel, const Tile& tile) {
  stage.reorder(order);
  if (tile.lanes > 1) stage.vectorize(channel, tile.lanes);
  stage.unroll(channel);
  stage.unroll(pixel);
  if (row) stage.unroll(*row);
}

/// Groups of one work-item. Where the pixels vary fastest, neighbors share weights; where the channels do,
/// the input.
void gpu_blocks(Func& out, const Var& channels, const Var& pixels, const std::optional<Var>& rows,
                bool channels_first) {
  std::vector<Var> order{channels, pixels};
  if (rows) order.insert(order.begin() + 1, *rows);
  if (channels_first) std::rotate(order.begin(), order.begin() + 1, order.end());
  out.reorder(order);
  if (rows) {
    out.gpu_blocks(order[2], order[1], order[0]);
  } else {
    out.gpu_blocks(order[1], order[0]);
  }
}

/// w(k, n) = q(k/2, n) .. s(k/32, n)   ->   loops over 32 steps, 2 of them and 1
/// A read by a quotient stays the same in all steps of the inner loop. Steps of two are unrolled, so that
/// remainders are constants. Returns the axes, followed by those that are unrolled.
std::pair<std::vector<Var>, std::vector<Var>> divide_axis(const TiledReduction& kernel, Func sum) {
  std::vector<Var> axes = axes_of(sum), unrolled;
  Stage update = sum.update();
  for (auto divisor = kernel.divisors.rbegin(); divisor != kernel.divisors.rend(); ++divisor) {
    constexpr std::int64_t kUnrolled = 2;
    const bool is_unrolled = *divisor <= kUnrolled;
    const Var outer(fmt::format("by_{}", *divisor)), inner(fmt::format("of_{}", *divisor));
    update.split(axes.back(), outer, inner, static_cast<int>(*divisor), Tail::Exact);
    axes.back() = outer;
    if (is_unrolled) update.unroll(inner);
    (is_unrolled ? unrolled : axes).push_back(inner);
  }
  return {axes, unrolled};
}

/// x(n, k)   ->   some steps of it as f32, in vectors, for all pixels of a tile
/// On a GPU in registers. Gives the axes.
std::vector<Var> copy_factor(const TiledReduction& kernel, Func sum) {
  const CopiedFactor& copied = *kernel.copied;
  const Var chunk("chunk"), step("step"), vector("vector"), lane("lane");
  std::vector<Var> axes = axes_of(sum);
  const std::string name = kernel.halves ? axis_in_part(copied.axis, *kernel.halves) : copied.axis;
  const auto axis = std::ranges::find(axes, name, &Var::name);
  Stage update = sum.update();
  update.split(*axis, chunk, step, kernel.copied_steps, Tail::Exact);
  *axis = step;
  axes.insert(kernel.is_gpu ? axes.end() - 1 : axes.begin(), chunk);
  Func copy = copied.is_input ? copied.factor.in(sum) : copied.factor;
  copy.compute_at(update, chunk).layout(with_innermost(copy.rank(), copied.dim, 0));
  if (kernel.is_gpu) {
    update.unroll(step);
    copy.vectorize(dim_of(copy, copied.dim), kernel.copied_steps);
    for (int d = 0; d < copy.rank(); ++d) copy.unroll(dim_of(copy, d));
    return axes;
  }
  std::vector<Var> loops;
  for (int d = 0; d < copy.rank(); ++d) {
    if (d != copied.dim) loops.push_back(dim_of(copy, d));
  }
  loops.insert(loops.end(), {vector, lane});
  copy.split(dim_of(copy, copied.dim), vector, lane, kernel.lanes, Tail::Exact)
      .reorder(loops)
      .vectorize(lane);
  return axes;
}

}  // namespace

void schedule_tiles(const TiledReduction& kernel, const Tile& tile) {
  Func out = kernel.output;
  const std::size_t rank = kernel.order.size();
  const int channel_dim = kernel.order[rank - 1];
  const Var channel = dim_of(out, channel_dim);
  const Var co("co"), ci("ci"), pixel_tile("pt"), pi("pi"), ps("ps"), row_tile("rt"), ri("ri");
  out.split(channel, co, ci, tile.channels(), kernel.channel_tail);

  // A tensor of one dimension has no pixels: the tile is along the channels only.
  std::vector<Var> outer;
  for (std::size_t i = 0; i + 2 < rank; ++i) outer.push_back(dim_of(out, kernel.order[i]));
  std::vector<Var> loops;
  loops.push_back(co);
  for (const Var& v : outer) loops.push_back(v);
  const bool has_pixels = rank > 1, has_tile_rows = rank > 2 && tile.rows > 1;
  if (has_tile_rows) {
    out.split(outer.back(), row_tile, ri, tile.rows, kernel.row_tail);
    outer.back() = loops.back() = row_tile;
  }
  if (has_pixels) {
    out.split(dim_of(out, kernel.order[rank - 2]), pixel_tile, pi, tile.pixels, kernel.pixel_tail);
    loops.push_back(pixel_tile);
    if (has_tile_rows) loops.push_back(ri);
    loops.push_back(pi);
  }
  loops.push_back(ci);
  out.reorder(loops);
  if (tile.lanes > 1) out.vectorize(ci, tile.lanes);
  out.unroll(ci);
  if (has_pixels) out.unroll(pi);
  if (has_tile_rows) out.unroll(ri);
  if (kernel.autobroadcast) out.autobroadcast();

  // Work-groups have up to three dimensions. Everything between the channels and the pixels is one fused
  // loop.
  Var rows("rows");
  const bool has_rows = !outer.empty();
  if (has_rows) {
    rows = fuse_all(out, outer, "rows");
  }
  Var innermost = has_pixels ? pixel_tile : co;
  const bool has_threads = tile.channel_threads * tile.pixel_threads > 1;
  if (has_threads) {
    const Var cb("cb"), ct("ct"), pb("pb");
    out.split(co, cb, ct, tile.channel_threads, Tail::Guard);
    if (has_pixels) {
      out.split(pixel_tile, pb, ps, tile.pixel_threads, Tail::Guard);
      if (has_rows) {
        out.reorder({cb, rows, pb, ps, ct}).gpu_blocks(pb, rows, cb);
      } else {
        out.reorder({cb, pb, ps, ct}).gpu_blocks(pb, cb);
      }
      if (kernel.pixels_fastest) {
        out.gpu_threads(ps, ct);
      } else {
        out.gpu_threads(ct, ps);
      }
    } else {
      out.gpu_blocks(cb).gpu_threads(ct);
    }
    innermost = ct;
  } else if (has_pixels) {
    Var blocks = pixel_tile;
    if (tile.serial > 1) {
      const Var pb("pb");
      out.split(pixel_tile, pb, ps, tile.serial, Tail::Guard);
      blocks = pb;
      innermost = ps;
    }
    gpu_blocks(out, co, blocks, has_rows ? std::optional(rows) : std::nullopt, tile.channels_first);
  } else {
    out.gpu_blocks(co);
  }

  Func sum = kernel.reduction;
  sum.compute_at(out, innermost);
  const Var sum_channel = dim_of(sum, channel_dim);
  const Var sum_pixel = has_pixels ? dim_of(sum, kernel.order[rank - 2]) : sum_channel;
  const std::optional<Var> sum_row =
      has_tile_rows ? std::optional(dim_of(sum, kernel.order[rank - 3])) : std::nullopt;
  std::vector<Var> tile_order;
  for (std::size_t i = 0; i < rank; ++i) tile_order.push_back(dim_of(sum, kernel.order[i]));
  Tile tile_of_sums = tile;
  if (kernel.has_dots) tile_of_sums.lanes = 1;
  const auto stage_of = [&](Stage stage, const std::vector<Var>& order) {
    if (has_pixels) {
      schedule_tile_stage(stage, order, sum_row, sum_pixel, sum_channel, tile_of_sums);
    } else {
      stage.reorder(order);
      if (tile_of_sums.lanes > 1) stage.vectorize(sum_channel, tile_of_sums.lanes);
      stage.unroll(sum_channel);
    }
  };
  stage_of(sum, tile_order);
  const int in_tile = has_tile_rows ? 3 : has_pixels ? 2 : 1;
  const std::vector<Var> around(tile_order.begin(), tile_order.end() - in_tile),
      inside(tile_order.end() - in_tile, tile_order.end());
  std::vector<Var> update_order = around;
  Func added = sum;  // the Func that adds up the products
  if (kernel.halves) {
    out.half_arithmetic();
    added = sum_in_half(sum, *kernel.halves);
    const std::vector<Var> parts = axes_of(sum);
    stage_of(sum.update(), joined({around, parts, inside}));
    added.compute_at(sum.update(), parts.back());
    stage_of(added, joined({parts, tile_order}));
    update_order = joined({parts, around});
  }
  Stage update = added.update();
  std::vector<Var> innermost_axes;
  std::vector<Var> axes = axes_of(added);
  if (kernel.texel_axis) {
    const Var texel("texel"), element("element");
    update.split(axes.back(), texel, element, kTexel).unroll(element);
    axes.back() = texel;
    update_order.insert(update_order.end(), axes.begin(), axes.end());
    update_order.push_back(element);
  } else if (kernel.copied_steps > 0) {
    axes = copy_factor(kernel, added);
    if (kernel.has_dots) {
      innermost_axes.push_back(axes.back());
      axes.pop_back();
    }
    update_order.insert(update_order.end(), axes.begin(), axes.end());
  } else {
    std::vector<Var> unrolled;
    std::tie(axes, unrolled) = divide_axis(kernel, added);
    update_order.insert(update_order.end(), axes.begin(), axes.end());
    update_order.insert(update_order.end(), unrolled.begin(), unrolled.end());
  }
  stage_of(update, joined({update_order, inside, innermost_axes}));
  for (int i = 0; i < kernel.unrolled_axes && i < static_cast<int>(axes.size()); ++i)
    update.unroll(axes[axes.size() - 1 - static_cast<std::size_t>(i)]);
}

}  // namespace tensordsl::schedules
