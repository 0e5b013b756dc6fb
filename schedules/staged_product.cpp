#include "schedules/staged_product.h"

#include <algorithm>

#include "classify/classify.h"
#include "schedule/schedule.h"
#include "schedules/loops.h"
#include "schedules/product_parts.h"
#include "schedules/weight_layouts.h"

namespace tensordsl::schedules {
namespace {

/// Numbers of one access.
constexpr int kLanes = 4;

StagedTile tile_of(const Point& point) {
  return {point["vectors"],     point["channel_threads"], point["pixels"], point["pixel_threads"],
          point["row_threads"], point["depth"],           point["slices"], point["buffers"]};
}

bool are_channels_whole(const ProductParts& parts, const StagedTile& tile) {
  return parts.problem.channels % tile.channels() == 0;
}

/// The dimension `inner` innermost and before a gap, the others as they are.
Layout with_innermost(int rank, int inner, int gap) {
  std::vector<Layout::Term> terms;
  for (int d = 0; d < rank; ++d) {
    if (d != inner) terms.push_back({.dim = d});
  }
  terms.push_back({.dim = inner, .gap = gap});
  return Layout::of(terms);
}

/// All work-items of a group share the vectors of `f`, neighbors taking neighboring ones. `places`: the loops
/// over these, the outermost first; `vector`: the innermost of them. Gives the innermost loop over
/// work-items.
Var share_vectors(Func f, std::vector<Var> places, const Var& vector, const StagedTile& tile) {
  const Var lane("lane"), round("round"), item("item"), x("item_x"), y("item_y"), z("item_z"), yz("item_yz");
  f.split(vector, Var("vector"), lane, kLanes, Tail::Exact);
  places.push_back(Var("vector"));
  std::vector<Var> order = places;
  order.push_back(lane);
  f.reorder(order).vectorize(lane);
  f.split(fuse_all(f, places, "place"), round, item, tile.items(), Tail::Guard).unroll(round);
  f.split(item, yz, x, tile.channel_threads, Tail::Exact)
      .split(yz, z, y, tile.pixel_threads * tile.row_threads, Tail::Exact);
  f.gpu_threads(x, y, z);
  return x;
}

/// The loops of a Func over rows, pixels and channels of a tile.
struct TileLoops {
  std::optional<Var> rows;
  Var pixels, channels;
};

/// A work-group for each tile of the output. Gives the innermost loop over tiles, and those in a tile.
std::pair<Var, TileLoops> run_tiles_as_groups(const ProductParts& p, const StagedTile& tile) {
  const Var channel_block("channel_block"), pixel_block("pixel_block"), row_block("row_block");
  TileLoops loops{std::nullopt, Var("in_pixels"), Var("in_channels")};
  Func out = p.out;
  const Tail channel_tail = are_channels_whole(p, tile) ? Tail::Exact : Tail::ShiftInwards;
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

/// Each work-item has its rows, pixels and vectors of channels in the tile, and its slice where there are
/// some. Work-items side by side have vectors side by side. Gives the innermost loop over work-items.
Var run_by_items(Func f, const TileLoops& loops, const std::optional<Var>& slices, const StagedTile& tile) {
  const Var vector("vector"), in_vectors("in_vectors"), channel_item("channel_item"), lane("lane"),
      pixel("pixel");
  Var pixel_item("pixel_item");
  f.split(loops.channels, vector, in_vectors, kLanes * tile.channel_threads, Tail::Exact)
      .split(in_vectors, channel_item, lane, kLanes, Tail::Exact)
      .split(loops.pixels, pixel_item, pixel, tile.pixels, Tail::Exact);
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

/// Of the sum, or of its parts: in which dimensions those of the output are.
struct Results {
  Func func;
  int pixel = 0, channel = 0;
};

/// The results of one work-item in registers; `outer` runs around them.
void keep_in_registers(Stage stage, const Results& results, std::vector<Var> outer) {
  const Func& f = results.func;
  const Var vector("vector"), lane("lane"), pixel = dim_of(f, results.pixel);
  stage.split(dim_of(f, results.channel), vector, lane, kLanes);
  for (int d = 0; d < f.rank(); ++d) {
    if (d != results.channel && d != results.pixel) outer.insert(outer.begin(), dim_of(f, d));
  }
  outer.insert(outer.end(), {pixel, vector, lane});
  stage.reorder(outer).vectorize(lane).unroll(vector).unroll(pixel);
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
  sum.vectorize(dim_of(sum, p.channel), kLanes);
  sum.update().unroll(axes_of(sum)[0]).vectorize(dim_of(sum, p.channel), kLanes);
  part.compute_at(parts, run_by_items(parts, loops, dim_of(parts, 0), tile));
}

/// The tile of a factor that a chunk needs is in local memory, what its `step` needs in registers. `inner`:
/// the dimension along which both lie; `gap`: numbers between the rows in local memory.
void stage_factor(Func factor, const Func& reader, const Var& chunk, const Var& step, int inner, int gap,
                  const StagedTile& tile) {
  factor.compute_at(reader.update(), chunk).store_in(Local).layout(with_innermost(factor.rank(), inner, gap));
  if (tile.buffers == 2) factor.double_buffer();
  std::vector<Var> places;
  for (int d = 0; d < factor.rank(); ++d) {
    if (d != inner) places.push_back(dim_of(factor, d));
  }
  Func own = factor.in(reader);
  share_vectors(factor, places, dim_of(factor, inner), tile);
  own.compute_at(reader.update(), step).layout(with_innermost(factor.rank(), inner, 0));
  own.vectorize(dim_of(own, inner), kLanes);
  for (int d = 0; d < own.rank(); ++d) own.unroll(dim_of(own, d));
}

}  // namespace

bool applies_staged_product(const Group& group, const Target& target) {
  if (target.group_items == 1 || !target.has_local_memory || target.prefers_images) return false;
  const auto parts = product_parts(group);
  return parts && parts->pixel && choose_staged_tile(parts->problem, target);
}

Space staged_product_space(const Group& group, const Target& target) {
  const StagedProblem problem = product_parts(group)->problem;
  const StagedTile tile = *choose_staged_tile(problem, target);
  constexpr int kMostPixels = 8;
  return {{{"vectors", {1, 2}},
           {"channel_threads", {1, 2, 4, 6, 8, 12, 16, 24, 32, 64}},
           {"pixels", numbers(1, kMostPixels)},
           {"pixel_threads", staged_threads(problem.pixels, kMostPixels, 32)},
           {"row_threads", staged_threads(problem.rows, 1, 16)},
           {"depth", {8, 16, 32, 64, 128}},
           {"slices", {1, 2, 4, 8}},
           {"buffers", {1, 2}}},
          {{"vectors", tile.vectors},
           {"channel_threads", tile.channel_threads},
           {"pixels", tile.pixels},
           {"pixel_threads", tile.pixel_threads},
           {"row_threads", tile.row_threads},
           {"depth", tile.depth},
           {"slices", tile.slices},
           {"buffers", tile.buffers}}};
}

PointOutlines staged_product_outlines(const Group& group, const Target& target) {
  return
      [problem = product_parts(group)->problem, target](const Point& point) -> std::optional<PointOutline> {
        const StagedTile tile = tile_of(point);
        if (!fits(problem, tile, target)) return std::nullopt;
        PointOutline outline;
        outline.usage.group_items = tile.items();
        outline.usage.registers = registers_of(tile);
        outline.usage.local_bytes = local_bytes(problem, tile);
        outline.usage.iteration_bytes = chunk_bytes(problem, tile);
        outline.usage.access_elements = kLanes;
        outline.usage.reads_buffers = true;
        outline.cost = cost_of(problem, tile, target);
        return outline;
      };
}

std::map<std::size_t, Layout> staged_product_layouts(const Group& group, const Point& point) {
  const ProductParts parts = *product_parts(group);
  const StagedTile tile = tile_of(point);
  const std::string& channel = parts.sum.contents().dims[static_cast<std::size_t>(parts.channel)];
  std::map<std::size_t, Layout> layouts;
  add_weight_layouts(group, classify::classify(parts.sum.contents()), channel,
                     are_channels_whole(parts, tile) ? tile.channels() : 1, layouts);
  return layouts;
}

void apply_staged_product(const Group& group, const Point& point, const Target&) {
  ProductParts p = *product_parts(group);
  const StagedTile tile = tile_of(point);
  const Var chunk("chunk"), quad("quad"), step("step"), in_chunk("in_chunk"), slice("slice"),
      in_slice("in_slice");
  std::vector<Var> axes;
  for (const Var& axis : axes_of(p.sum)) {
    if (axis.name() != p.depth) axes.push_back(axis);
  }

  // The sum itself, or what a slice of each chunk adds to it.
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
  part.update().split(is_sliced ? in_slice : in_chunk, quad, step, kLanes, Tail::Exact);
  axes.insert(axes.end(), {chunk, quad, step});
  keep_in_registers(part.update(), results, axes);
  part.update().unroll(step);

  // A gap of a vector: work-items that read the same step of rows one below the other find it in different
  // banks.
  const Func input = p.input.is_input() ? p.input.in(part) : p.input;
  stage_factor(input, part, chunk, quad, p.input_depth, kLanes, tile);
  stage_factor(p.weights.in(part), part, chunk, step, p.weights_channel, 0, tile);
}

}  // namespace tensordsl::schedules
