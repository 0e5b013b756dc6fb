#include "schedules/product/staged_loops.h"

#include <string>

#include "classify/classify.h"
#include "schedule/func_schedule.h"
#include "schedules/product/weight_layouts.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {

namespace {

/// True if the channels are a multiple of a tile's channels.
bool do_tiles_fill_channels(const ProductParts& parts, const StagedTile& tile) {
  return parts.problem.channels % tile.channels() == 0;
}

}  // namespace

Space staged_space(const StagedProblem& problem, const StagedTile& tile) {
  constexpr int kMostPixels = 8;
  return {{{"vectors", {1, 2, 3, 4}},
           {"channel_threads", {1, 2, 4, 6, 8, 12, 16, 24, 32, 64}},
           {"pixels", numbers(1, kMostPixels)},
           {"pixel_threads", staged_threads(problem.pixels, kMostPixels, 32)},
           {"row_threads", staged_threads(problem.rows, 1, 16)},
           {"buffers", {1, 2}}},
          {{"vectors", tile.vectors},
           {"channel_threads", tile.channel_threads},
           {"pixels", tile.pixels},
           {"pixel_threads", tile.pixel_threads},
           {"row_threads", tile.row_threads},
           {"buffers", tile.buffers}}};
}

int packed_channels(const ProductParts& parts, const StagedTile& tile) {
  return do_tiles_fill_channels(parts, tile) ? tile.channels() : 1;
}

WantedStorage staged_weight_layouts(const definitions::StoredGroup& group, const ProductParts& parts,
                                    const StagedTile& tile) {
  const std::string& channel = parts.sum.contents().dims[static_cast<std::size_t>(parts.channel)];
  WantedStorage wanted;
  add_weight_layouts(group, group.class_of(parts.sum), channel, packed_channels(parts, tile), wanted);
  return wanted;
}

PointOutline outline_of(const StagedProblem& problem, const StagedTile& tile, const Target& target) {
  PointOutline outline;
  outline.usage.group_items = tile.items();
  outline.usage.registers = registers_of(tile);
  outline.usage.local_bytes = local_bytes(problem, tile);
  outline.usage.iteration_bytes = chunk_bytes(problem, tile);
  outline.usage.access_elements = kStagedLanes;
  outline.usage.reads_buffers = true;
  outline.cost = cost_of(problem, tile, target);
  return outline;
}

Layout with_innermost(int rank, int inner, int gap) {
  std::vector<Layout::Term> terms;
  for (int d = 0; d < rank; ++d) {
    if (d != inner) terms.push_back({.dim = d});
  }
  terms.push_back({.dim = inner, .gap = gap});
  return Layout::of(terms);
}

Var share_places(Func f, const std::vector<Var>& loops, const StagedTile& tile) {
  const Var round("round"), item("item"), x("item_x"), y("item_y"), z("item_z"), yz("item_yz");
  f.split(fuse_all(f, loops, "place"), round, item, tile.items(), Tail::Guard)
      .unroll(round)
      .split(item, yz, x, tile.channel_threads, Tail::Exact)
      .split(yz, z, y, tile.pixel_threads * tile.row_threads, Tail::Exact)
      .gpu_threads(x, y, z);
  return x;
}

Var share_vectors(Func f, std::vector<Var> places, const Var& vector, const StagedTile& tile) {
  const Var lane("lane");
  f.split(vector, Var("vector"), lane, kStagedLanes, Tail::Exact);
  places.push_back(Var("vector"));
  std::vector<Var> order = places;
  order.push_back(lane);
  f.reorder(order).vectorize(lane);
  return share_places(f, places, tile);
}

std::pair<Var, TileLoops> run_tiles_as_groups(const ProductParts& p, const StagedTile& tile) {
  const Var channel_block("channel_block"), pixel_block("pixel_block"), row_block("row_block");
  TileLoops loops{std::nullopt, Var("in_pixels"), Var("in_channels")};
  Func out = p.out;
  const Tail channel_tail = do_tiles_fill_channels(p, tile) ? Tail::Exact : Tail::ShiftInwards;
  out.split(dim_of(out, p.channel), channel_block, loops.channels, tile.channels(), channel_tail)
      .split(dim_of(out, *p.pixel), pixel_block, loops.pixels, tile.columns(), Tail::ShiftInwards);
  std::vector<Var> others;
  for (const int dim : p.others) others.push_back(dim_of(out, dim));
  if (p.row) {
    loops.rows = Var("in_rows");
    out.split(dim_of(out, *p.row), row_block, *loops.rows, tile.row_threads, Tail::ShiftInwards);
    others.push_back(row_block);
  }
  std::vector<Var> order = others;
  order.insert(order.end(), {pixel_block, channel_block});
  if (loops.rows) order.push_back(*loops.rows);
  order.insert(order.end(), {loops.pixels, loops.channels});
  out.reorder(order);
  if (others.empty()) {
    out.gpu_blocks(channel_block, pixel_block);
  } else {
    out.gpu_blocks(channel_block, pixel_block, fuse_all(out, others, "others"));
  }
  return {channel_block, loops};
}

Var run_by_items(Func f, const TileLoops& loops, const std::optional<Var>& slices, const StagedTile& tile) {
  const Var vector("vector"), in_vectors("in_vectors"), channel_item("channel_item"), lane("lane"),
      pixel("pixel");
  Var pixel_item("pixel_item");
  f.split(loops.channels, vector, in_vectors, kStagedLanes * tile.channel_threads, Tail::Exact)
      .split(in_vectors, channel_item, lane, kStagedLanes, Tail::Exact)
      .split(loops.pixels, pixel, pixel_item, tile.pixel_threads, Tail::Exact);
  std::vector<Var> order;
  if (slices) order.push_back(*slices);
  if (loops.rows) order.push_back(*loops.rows);
  order.insert(order.end(), {pixel_item, channel_item, pixel, vector, lane});
  f.reorder(order).vectorize(lane).unroll(vector).unroll(pixel);
  if (loops.rows) {
    const Var row_pixel_item("row_pixel_item");
    f.fuse(*loops.rows, pixel_item, row_pixel_item);
    pixel_item = row_pixel_item;
  }
  if (slices) {
    f.gpu_threads(channel_item, pixel_item, *slices);
  } else {
    f.gpu_threads(channel_item, pixel_item);
  }
  return channel_item;
}

void keep_in_registers(Stage stage, const Results& results, std::vector<Var> outer,
                       const std::optional<Var>& inner) {
  const Func& f = results.func;
  const Var vector("vector"), lane("lane"), pixel = dim_of(f, results.pixel);
  stage.split(dim_of(f, results.channel), vector, lane, kStagedLanes);
  for (int d = 0; d < f.rank(); ++d) {
    if (d != results.channel && d != results.pixel) outer.insert(outer.begin(), dim_of(f, d));
  }
  outer.insert(outer.end(), {pixel, vector, lane});
  if (inner) {
    outer.push_back(*inner);
    stage.reorder(outer).unroll(lane);
  } else {
    stage.reorder(outer).vectorize(lane);
  }
  stage.unroll(vector).unroll(pixel);
}

}  // namespace tensordsl::schedules
