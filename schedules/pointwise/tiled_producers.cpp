#include "schedules/pointwise/tiled_producers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "definitions/bounds_of_funcs.h"
#include "definitions/written_out_nodes.h"
#include "ir/nodes/function.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

/// The output's dimensions in memory order, by their role in a tile.
struct TileDims {
  std::vector<int> outer;  ///< one each
  std::optional<int> row;
  int column = 0;
  std::optional<int> inner;  ///< all of it, unrolled: the colors of a pixel
};

/// The most elements along a dimension that may be unrolled.
constexpr std::int64_t kMostUnrolledElements = 4;

bool is_small(const StoredTensor& stored, int dim) {
  return is_known(stored, dim) &&
         likely_shape(stored)[static_cast<std::size_t>(dim)] <= kMostUnrolledElements;
}

/// The dimension of the colors where they lie in planes.
std::optional<int> planes_of(const StoredTensor& stored) {
  const std::vector<int> order = memory_order(stored.layout);
  if (order.size() < 3 || is_small(stored, order.back())) return std::nullopt;
  const int plane = order[order.size() - 3];
  const bool has_several = likely_shape(stored)[static_cast<std::size_t>(plane)] > 1;
  return is_small(stored, plane) && has_several ? std::optional(plane) : std::nullopt;
}

/// `has_planes`: a tile has all colors of its pixels, where these lie in planes.
TileDims dims_of_tile(const StoredGroup& group, bool has_planes) {
  const StoredTensor& stored = group.stored[0];
  std::vector<int> order = memory_order(stored.layout);
  TileDims dims;
  if (order.size() > 1 && is_small(stored, order.back())) {
    dims.inner = order.back();
    order.pop_back();
  } else if (const auto planes = has_planes ? planes_of(stored) : std::nullopt) {
    dims.inner = planes;
    std::erase(order, *planes);
  }
  dims.column = order.back();
  order.pop_back();
  if (!order.empty()) {
    dims.row = order.back();
    order.pop_back();
  }
  dims.outer = order;
  return dims;
}

/// Returns the extent of a dimension; 1 if there is none.
std::int64_t extent_or_one(const StoredGroup& group, const std::optional<int>& dim) {
  return dim ? likely_shape(group.stored[0])[static_cast<std::size_t>(*dim)] : 1;
}

/// A kept Func, or the output: how many of its elements a tile needs, and the work for each.
struct Stretch {
  std::int64_t elements = 1, nodes = 1;
};

/// The extents of a tile of the output.
std::vector<Expr> extents_of_tile(const StoredGroup& group, const TileDims& dims, const Point& point) {
  std::vector<Expr> tile(static_cast<std::size_t>(group.outputs[0].rank()), Expr(1));
  const auto in_tile = [&](int dim) -> Expr& { return tile[static_cast<std::size_t>(dim)]; };
  in_tile(dims.column) = point["columns"];
  if (dims.row) in_tile(*dims.row) = point["rows"];
  if (dims.inner) in_tile(*dims.inner) = static_cast<int>(extent_or_one(group, dims.inner));
  return tile;
}

/// Returns the elements of each dimension of a kept Func, or of the output, that a tile of these extents
/// needs at the origin; nullopt if that is unknown.
using NeededExtents = std::function<std::optional<std::vector<std::int64_t>>(const Func&)>;

NeededExtents extents_in_tile(const StoredGroup& group, const std::vector<Expr>& tile) {
  std::vector<ir::FunctionPtr> functions;
  for (const auto* funcs : {&group.prologue, &group.anchors, &group.epilogue}) {
    for (const Func& func : *funcs) functions.push_back(func.shared());
  }
  return [bounds = definitions::bounds_of_funcs(functions, tile)](
             const Func& func) -> std::optional<std::vector<std::int64_t>> {
    std::vector<std::int64_t> extents;
    for (const std::string& dim : func.contents().dims) {
      const auto range = bounds.at(&func.contents()).find(dim);
      constexpr std::int64_t kLargest = 1 << 20;
      if (range == bounds.at(&func.contents()).end()) return std::nullopt;
      const ir::Interval span = range->second;
      if (span.low == INT64_MIN || span.high == INT64_MAX || span.high - span.low > kLargest)
        return std::nullopt;
      extents.push_back(span.high - span.low + 1);
    }
    return extents;
  };
}

std::optional<std::vector<Stretch>> stretches_of(const StoredGroup& group, const std::vector<Expr>& tile) {
  const NeededExtents extents_of = extents_in_tile(group, tile);
  std::vector<Func> computed = group.kept;
  computed.push_back(group.outputs[0]);
  const auto is_inlined = [](const Func&) { return false; };
  const std::vector<std::int64_t> nodes = definitions::written_out_nodes(computed, is_inlined, INT64_MAX);
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    Stretch stretch{1, nodes[i]};
    const auto extents = extents_of(computed[i]);
    if (!extents) return std::nullopt;
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    for (const std::int64_t extent : *extents) stretch.elements = std::min(stretch.elements * extent, kMost);
    stretches.push_back(stretch);
  }
  return stretches;
}

/// Returns the dimensions outside of rows and columns of which every tile needs the same few elements, as the
/// whole output does: the colors of pixels. A loop over elements that only some tiles need has no constant
/// extent.
std::vector<Var> planes_in_tile(const Func& kept, const NeededExtents& in_tile, const NeededExtents& in_all) {
  std::vector<Var> planes;
  const auto extents = in_tile(kept), all = in_all(kept);
  for (int d = 0; extents && all && d + 2 < kept.rank(); ++d) {
    const std::int64_t extent = (*extents)[static_cast<std::size_t>(d)];
    if (extent > 1 && extent <= kMostUnrolledElements && extent == (*all)[static_cast<std::size_t>(d)])
      planes.push_back(dim_of(kept, d));
  }
  return planes;
}

/// All elements of a kept Func that the tile needs, spread over the work-items of its group, or in vectors. A
/// work-item has all `planes` of an element, which read and compute much alike.
void keep(Func kept, const Func& out, const Var& block, const Point& point, const std::vector<Var>& planes) {
  kept.compute_at(out, block);
  if (point["items"] > 1) {
    kept.store_in(MemoryScope::Local);
    share_elements(kept, point["items"], planes);
  } else if (point["lanes"] > 1 && kept.rank() > 0) {
    kept.vectorize(dim_of(kept, kept.rank() - 1), point["lanes"]);
  }
}

}  // namespace

bool applies_tiled_producers(const StoredGroup& group, const Target& target) {
  return group.outputs.size() == 1 && group.outputs[0].updates() == 0 && !group.kept.empty() &&
         group.outputs[0].rank() > 0 && (target.group_items == 1 || target.local_bytes > 0);
}

Space tiled_producers_space(const StoredGroup& group, const Target& target) {
  const TileDims dims = dims_of_tile(group, false);
  const std::int64_t width = extent_or_one(group, dims.column), height = extent_or_one(group, dims.row);
  const bool is_gpu = target.group_items > 1;
  // All planes that a CPU core computes together would exceed its cache, so only GPUs tile over them.
  const bool has_planes = is_gpu && planes_of(group.stored[0]).has_value();
  const int lanes = is_gpu ? 1 : power_up_to(width, target.vector_width);
  // A GPU's tile has one element or a few for each work-item; a core's is sized to its cache.
  const int columns = power_up_to(width, is_gpu ? 32 : 256);
  const int rows = power_up_to(height, is_gpu ? std::max(1, 2 * target.group_items / columns) : 16);
  return {{{"rows", powers_of_two(64)},
           {"columns", powers_of_two(512)},
           {"lanes", is_gpu ? std::vector<int>{1} : powers_of_two(16)},
           {"items", is_gpu ? powers_of_two(256) : std::vector<int>{1}},
           {"planes", has_planes ? std::vector<int>{1, 0} : std::vector<int>{0}}},
          {{"rows", rows},
           {"columns", columns},
           {"lanes", lanes},
           {"items", target.group_items},
           {"planes", has_planes ? 1 : 0}}};
}

PointOutlines tiled_producers_outlines(const StoredGroup& group, const Target& target) {
  const std::vector<std::int64_t> extents = likely_shape(group.stored[0]);
  // Cached by tile: how work-items share a tile does not change what it needs.
  using Stretches = std::map<std::vector<int>, std::optional<std::vector<Stretch>>>;
  const auto known = std::make_shared<Stretches>();
  return [group, target, extents, known](const Point& point) -> std::optional<PointOutline> {
    const TileDims dims = dims_of_tile(group, point["planes"] == 1);
    const std::int64_t rows = extent_or_one(group, dims.row), columns = extent_or_one(group, dims.column);
    const bool is_too_large = point["rows"] >= 2 * rows || point["columns"] >= 2 * columns ||
                              point["items"] > std::max(target.group_items, target.most_group_items) ||
                              point["lanes"] > point["columns"];
    if (is_too_large) return std::nullopt;
    const std::vector<int> tile{point["rows"], point["columns"], point["planes"]};
    auto stretches = known->find(tile);
    if (stretches == known->end())
      stretches = known->emplace(tile, stretches_of(group, extents_of_tile(group, dims, point))).first;
    if (!stretches->second) return std::nullopt;
    std::int64_t groups =
        ((rows + point["rows"] - 1) / point["rows"]) * ((columns + point["columns"] - 1) / point["columns"]);
    for (const int dim : dims.outer) groups *= extents[static_cast<std::size_t>(dim)];
    const int at_once = std::max(point["items"], point["lanes"]);
    double steps = 0;
    for (const Stretch& stretch : *stretches->second)
      steps += static_cast<double>((stretch.elements + at_once - 1) / at_once * stretch.nodes);
    // A unit has several groups at a time; some that wait for it cost less than one that has it to itself.
    const double rounds = std::ceil(static_cast<double>(groups) / target.compute_units);
    PointOutline outline;
    outline.usage.group_items = point["items"];
    outline.cost = steps * rounds;
    return outline;
  };
}

void apply_tiled_producers(const StoredGroup& group, const Point& point, const Target&) {
  Func out = group.outputs[0];
  const TileDims dims = dims_of_tile(group, point["planes"] == 1);
  const Var row_tile("row_tile"), row("row"), column_tile("column_tile"), column("column");
  out.split(dim_of(out, dims.column), column_tile, column, point["columns"], Tail::Guard);
  std::vector<Var> outer;
  for (const int dim : dims.outer) outer.push_back(dim_of(out, dim));
  std::vector<Var> loops = outer;
  if (dims.row) {
    out.split(dim_of(out, *dims.row), row_tile, row, point["rows"], Tail::Guard);
    loops.push_back(row_tile);
  }
  loops.push_back(column_tile);
  if (dims.row) loops.push_back(row);
  // Vectors run along columns; unrolled loops are outside of them.
  const bool has_vectors = point["items"] == 1 && point["lanes"] > 1;
  if (dims.inner && has_vectors) loops.push_back(dim_of(out, *dims.inner));
  loops.push_back(column);
  if (dims.inner && !has_vectors) loops.push_back(dim_of(out, *dims.inner));
  out.reorder(loops);
  if (dims.inner) out.unroll(dim_of(out, *dims.inner));
  std::vector<Var> blocks{column_tile};
  if (dims.row) blocks.push_back(row_tile);
  if (!outer.empty()) blocks.push_back(fuse_all(out, outer, "outer"));
  run_as_grid(out, blocks);
  if (point["items"] > 1) {
    const Var element = dims.row ? Var("element") : column, round("round"), item("item");
    if (dims.row) out.fuse(row, column, element);
    out.split(element, round, item, point["items"], Tail::Guard).gpu_threads(item);
  } else if (has_vectors) {
    out.vectorize(column, point["lanes"]);
  }
  std::vector<Expr> whole;
  for (const std::int64_t extent : likely_shape(group.stored[0]))
    whole.emplace_back(static_cast<int>(extent));
  const NeededExtents in_tile = extents_in_tile(group, extents_of_tile(group, dims, point));
  const NeededExtents in_all = extents_in_tile(group, whole);
  for (const Func& kept : group.kept)
    keep(kept, out, column_tile, point, planes_in_tile(kept, in_tile, in_all));
}

}  // namespace tensordsl::schedules
