#include "schedules/product/matrix_product.h"

#include <algorithm>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>

#include "schedule/func_schedule.h"
#include "schedules/product/choose_matrix_tile.h"
#include "schedules/product/product_parts.h"
#include "schedules/product/staged_loops.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

// Elements of one access: 16 bytes, as many as a GPU reads at once.
constexpr int kAccessVector = 8;
// The depth of one product instruction, and how many such products a loop unrolls.
constexpr int kStepDepth = 16, kUnrolledSteps = 4;

MatrixProductTile matrix_tile_of(const Point& point) {
  return {point["row_tiles"], point["column_tiles"], point["pixel_warps"], point["channel_warps"],
          point["row_warps"], point["depth"],        point["buffers"]};
}

bool is_half(const Func& func) { return func.outputs() == 1 && func.type() == Float(16); }

/// Returns the tile's share of the output, for the loops over a tile.
StagedTile as_staged(const MatrixProductTile& tile) {
  StagedTile staged;
  staged.vectors = 2 * tile.column_tiles;
  staged.channel_threads = tile.channel_warps;
  staged.pixels = 16 * tile.row_tiles;
  staged.pixel_threads = tile.pixel_warps;
  staged.row_threads = tile.row_warps;
  staged.depth = tile.depth;
  return staged;
}

/// Returns "channel/64 tap depth/32 channel%64 depth%32", in which the chunk of a tile is contiguous.
std::optional<Layout> weights_layout(const ProductParts& parts, const MatrixProductTile& tile) {
  using Part = Layout::Term::Part;
  const Func& weights = parts.weights;
  const bool is_cut = parts.problem.channels % tile.channels() == 0 && parts.problem.depth % tile.depth == 0;
  std::vector<Layout::Term> terms;
  if (is_cut) terms.push_back({parts.weights_channel, Part::Quotient, tile.channels()});
  for (int d = 0; d < weights.rank(); ++d) {
    if (d != parts.weights_channel && d != parts.weights_depth) terms.push_back({.dim = d});
  }
  if (!is_cut) {
    terms.push_back({.dim = parts.weights_channel});
    terms.push_back({.dim = parts.weights_depth});
    return Layout::of(terms);
  }
  terms.push_back({parts.weights_depth, Part::Quotient, tile.depth});
  terms.push_back({parts.weights_channel, Part::Remainder, tile.channels()});
  terms.push_back({parts.weights_depth, Part::Remainder, tile.depth});
  return Layout::of(terms);
}

/// The tile of a factor that a chunk needs, in local memory along its depth. All work-items of the group read
/// vectors of it, neighbors taking neighboring ones.
void stage_matrix_factor(Func factor, const Func& reader, const Var& chunk, int inner,
                         const MatrixProductTile& tile) {
  const Var vector("vector"), lane("lane"), round("round"), item("item"), x("item_x"), y("item_y");
  factor.compute_at(reader.update(), chunk)
      .store_in(Local)
      .layout(with_innermost(factor.rank(), inner, kAccessVector));
  if (tile.buffers == 2) factor.double_buffer();
  std::vector<Var> places;
  for (int d = 0; d < factor.rank(); ++d) {
    if (d != inner) places.push_back(dim_of(factor, d));
  }
  factor.split(dim_of(factor, inner), vector, lane, kAccessVector, Tail::Exact);
  places.push_back(vector);
  std::vector<Var> order = places;
  order.push_back(lane);
  factor.reorder(order).vectorize(lane);
  factor.split(fuse_all(factor, places, "place"), round, item, 32 * tile.warps(), Tail::Guard)
      .unroll(round)
      .split(item, y, x, 32, Tail::Exact)
      .gpu_threads(x, y);
}

/// Work-item l of a sub-group has the pixels l/4 + 8*i and the channels l%4*2 + j of each product. Gives the
/// loop over the work-items of a sub-group.
Var run_by_lanes(Func out, const TileLoops& loops, const MatrixProductTile& tile) {
  const Var pixel_warp("pixel_warp"), in_pixel_warp("in_pixel_warp"), row_tile("row_tile"),
      in_row_tile("in_row_tile"), half("half"), quarter("quarter"), channel_warp("channel_warp"),
      in_channel_warp("in_channel_warp"), column_tile("column_tile"), in_column_tile("in_column_tile"),
      quad("quad"), pair("pair"), lane("lane");
  out.split(loops.pixels, pixel_warp, in_pixel_warp, 16 * tile.row_tiles, Tail::Exact)
      .split(in_pixel_warp, row_tile, in_row_tile, 16, Tail::Exact)
      .split(in_row_tile, half, quarter, 8, Tail::Exact)
      .split(loops.channels, channel_warp, in_channel_warp, 8 * tile.column_tiles, Tail::Exact)
      .split(in_channel_warp, column_tile, in_column_tile, 8, Tail::Exact)
      .split(in_column_tile, quad, pair, 2, Tail::Exact);
  std::vector<Var> warps;
  if (loops.rows) warps.push_back(*loops.rows);
  warps.insert(warps.end(), {pixel_warp, channel_warp});
  std::vector<Var> order = warps;
  order.insert(order.end(), {quarter, quad, row_tile, half, column_tile, pair});
  out.reorder(order).vectorize(pair).unroll(column_tile).unroll(half).unroll(row_tile);
  const Var warp = fuse_all(out, warps, "warp");
  out.fuse(quarter, quad, lane).gpu_threads(lane, warp);
  return lane;
}

/// Returns the dimensions of the sums other than the pixels' and the channels'.
std::vector<int> other_dims(const ProductParts& p) {
  return ranges::views::iota(0, p.sum.rank()) |
         ranges::views::filter([&](int d) { return d != *p.pixel && d != p.channel; }) |
         ranges::to<std::vector>();
}

/// The four sums that a work-item has of a product side by side: pixel/2 channel/2 pixel%2 channel%2.
Layout sums_layout(const ProductParts& p) {
  using Part = Layout::Term::Part;
  const std::vector<int> others = other_dims(p);
  std::vector<Layout::Term> terms = others |
                                    ranges::views::transform([](int d) { return Layout::Term{.dim = d}; }) |
                                    ranges::to<std::vector>();
  for (const Part part : {Part::Quotient, Part::Remainder}) {
    terms.push_back({*p.pixel, part, 2});
    terms.push_back({p.channel, part, 2});
  }
  return Layout::of(terms);
}

/// The dimensions of the sums of a work-item as loops: row_tile, column_tile, half, pair inside the others.
void order_sums(Stage stage, const ProductParts& p, const std::vector<Var>& between,
                const std::vector<Var>& last) {
  const Var row_tile("row_tile"), half("half"), column_tile("column_tile"), pair("pair");
  stage.split(dim_of(p.sum, *p.pixel), row_tile, half, 2, Tail::Exact)
      .split(dim_of(p.sum, p.channel), column_tile, pair, 2, Tail::Exact);
  const std::vector<int> others = other_dims(p);
  std::vector<Var> order =
      others | ranges::views::transform([&](int d) { return dim_of(p.sum, d); }) | ranges::to<std::vector>();
  order.insert(order.end(), between.begin(), between.end());
  order.insert(order.end(), {row_tile, column_tile, half, pair});
  order.insert(order.end(), last.begin(), last.end());
  stage.reorder(order).unroll(row_tile).unroll(column_tile);
}

}  // namespace

bool applies_matrix_product(const StoredGroup& group, const Target& target) {
  if (!target.has_matrix_units || !target.has_local_memory) return false;
  const auto parts = product_parts(group);
  return parts && parts->pixel && !parts->depth.empty() && parts->has_constant_weights &&
         parts->input_depth >= 0 && parts->weights_depth >= 0 && parts->sum.type() == Float(32) &&
         is_half(parts->input) && is_half(parts->weights) && parts->weights.is_input() &&
         choose_matrix_tile(parts->problem, target);
}

Space matrix_product_space(const StoredGroup& group, const Target& target) {
  const MatrixProductTile tile = *choose_matrix_tile(product_parts(group)->problem, target);
  return {{{"row_tiles", {1, 2, 3, 4}},
           {"column_tiles", {1, 2, 4, 8}},
           {"pixel_warps", {1, 2, 4}},
           {"channel_warps", {1, 2, 4}},
           {"row_warps", {1, 2, 4, 8}},
           {"depth", {16, 32, 64, 128, 256}},
           {"buffers", {1, 2}}},
          {{"row_tiles", tile.row_tiles},
           {"column_tiles", tile.column_tiles},
           {"pixel_warps", tile.pixel_warps},
           {"channel_warps", tile.channel_warps},
           {"row_warps", tile.row_warps},
           {"depth", tile.depth},
           {"buffers", tile.buffers}}};
}

WantedStorage matrix_product_storage(const StoredGroup& group, const Point& point) {
  const ProductParts parts = *product_parts(group);
  WantedStorage wanted;
  for (std::size_t i = 0; i < group.operands.size(); ++i) {
    if (group.operands[i].is_constant && group.operands[i].input.name() == parts.weights.name())
      wanted.emplace(i, ConstantStorage{*weights_layout(parts, matrix_tile_of(point))});
  }
  return wanted;
}

void apply_matrix_product(const StoredGroup& group, const Point& point, const Target&) {
  ProductParts p = *product_parts(group);
  const MatrixProductTile tile = matrix_tile_of(point);
  const Var chunk("chunk"), in_chunk("in_chunk"), step("step"), k("k"), half("half"), pair("pair");
  std::vector<Var> axes = axes_of(p.sum);
  std::erase_if(axes, [&](const Var& axis) { return axis.name() == p.depth; });
  const auto [tiles, in_tile] = run_tiles_as_groups(p, as_staged(tile));
  Func sum = p.sum;
  sum.compute_at(p.out, run_by_lanes(p.out, in_tile, tile)).layout(sums_layout(p));
  order_sums(sum, p, {}, {});
  sum.unroll(half).vectorize(pair);
  sum.update()
      .split(Var(p.depth), chunk, in_chunk, tile.depth, Tail::Exact)
      .split(in_chunk, step, k, 16, Tail::Exact);
  axes.insert(axes.end(), {chunk, step});
  order_sums(sum.update(), p, axes, {k});
  sum.update().matrix_multiply(half, pair, k);
  if (tile.depth > kUnrolledSteps * kStepDepth) {
    sum.update().unroll(step, kUnrolledSteps, Tail::Exact);
  } else {
    sum.update().unroll(step);
  }
  stage_matrix_factor(p.input.is_input() ? p.input.in(sum) : p.input, sum, chunk, p.input_depth, tile);
  stage_matrix_factor(p.weights.in(sum), sum, chunk, p.weights_depth, tile);
}

}  // namespace tensordsl::schedules
