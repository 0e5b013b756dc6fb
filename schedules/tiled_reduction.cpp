#include "schedules/tiled_reduction.h"

#include "schedule/schedule.h"

namespace tensordsl::schedules {
namespace {

Var dim_of(const Func& f, int dim) { return Var(f.contents().dims[static_cast<std::size_t>(dim)]); }

/// The register tile itself: pixels unrolled, channels in vectors.
void schedule_tile_stage(Stage stage, const std::vector<Var>& order, const Var& pixel, const Var& channel,
                         const Tile& tile) {
  stage.reorder(order);
  if (tile.lanes > 1) stage.vectorize(channel, tile.lanes);
  stage.unroll(channel);
  stage.unroll(pixel);
}

}  // namespace

void schedule_tiled_reduction(const TiledReduction& kernel, const Tile& tile) {
  Func out = kernel.output;
  const std::size_t rank = kernel.order.size();
  const int channel_dim = kernel.order[rank - 1];
  const Var channel = dim_of(out, channel_dim);
  const Var co("co"), ci("ci"), pixel_tile("pt"), pi("pi"), ps("ps");
  out.split(channel, co, ci, tile.channels(), Tail::Exact);

  // A tensor of one dimension has no pixels: the tile is along the channels only.
  std::vector<Var> outer;
  for (std::size_t i = 0; i + 2 < rank; ++i) outer.push_back(dim_of(out, kernel.order[i]));
  std::vector<Var> loops;
  loops.push_back(co);
  for (const Var& v : outer) loops.push_back(v);
  const bool has_pixels = rank > 1;
  if (has_pixels) {
    out.split(dim_of(out, kernel.order[rank - 2]), pixel_tile, pi, tile.pixels, Tail::ShiftInwards);
    loops.push_back(pixel_tile);
    loops.push_back(pi);
  }
  loops.push_back(ci);
  out.reorder(loops);
  if (tile.lanes > 1) out.vectorize(ci, tile.lanes);
  out.unroll(ci);
  if (has_pixels) out.unroll(pi);

  // Up to three dimensions of groups: the pixels vary fastest, so that neighbors share weights; the channels
  // slowest. Everything between is one fused loop.
  Var rows("rows");
  const bool has_rows = !outer.empty();
  if (has_rows) {
    Var fused = outer[0];
    for (std::size_t i = 1; i < outer.size(); ++i) {
      const Var next(i + 1 == outer.size() ? "rows" : "rows_" + std::to_string(i));
      out.fuse(fused, outer[i], next);
      fused = next;
    }
    rows = fused;
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
      out.gpu_threads(ct, ps);
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
    if (has_rows) {
      out.gpu_blocks(blocks, rows, co);
    } else {
      out.gpu_blocks(blocks, co);
    }
  } else {
    out.gpu_blocks(co);
  }

  Func sum = kernel.reduction;
  sum.compute_at(out, innermost);
  const Var sum_channel = dim_of(sum, channel_dim);
  const Var sum_pixel = has_pixels ? dim_of(sum, kernel.order[rank - 2]) : sum_channel;
  std::vector<Var> tile_order;
  for (std::size_t i = 0; i < rank; ++i) tile_order.push_back(dim_of(sum, kernel.order[i]));
  const auto stage_of = [&](Stage stage, const std::vector<Var>& order) {
    if (has_pixels) {
      schedule_tile_stage(stage, order, sum_pixel, sum_channel, tile);
    } else {
      stage.reorder(order);
      if (tile.lanes > 1) stage.vectorize(sum_channel, tile.lanes);
      stage.unroll(sum_channel);
    }
  };
  stage_of(sum, tile_order);
  std::vector<Var> update_order(tile_order.begin(), tile_order.end() - (has_pixels ? 2 : 1));
  const auto& domain = sum.contents().definitions[1].domain;
  for (const auto& axis : domain) update_order.emplace_back(axis.name);
  if (has_pixels) update_order.push_back(sum_pixel);
  update_order.push_back(sum_channel);
  Stage update = sum.update();
  stage_of(update, update_order);
  for (int i = 0; i < kernel.unrolled_axes && i < static_cast<int>(domain.size()); ++i) {
    update.unroll(Var(domain[domain.size() - 1 - static_cast<std::size_t>(i)].name));
  }
}

}  // namespace tensordsl::schedules
