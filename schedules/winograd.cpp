#include "schedules/winograd.h"

#include <algorithm>
#include <array>
#include <optional>

#include "classify/classify.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"
#include "schedules/choose_winograd_tile.h"
#include "schedules/loops.h"

namespace tensordsl::schedules {
namespace {

/// The Funcs of such a group, and how the output is cut.
struct Parts {
  Func patch, product, out;
  std::array<int, 2> dim{};    ///< of the output: rows, columns
  std::array<int, 2> tiles{};  ///< in a block, along these
  int size = 2;                ///< outputs of a tile, along each
  int channel = 0;             ///< of the output
  std::size_t weights = 0;     ///< the operand
  std::int64_t inputs = 0, outputs = 0;
};

/// Dimensions of patches and products, counted from the last one.
enum FromLast { kChannel, kColumn, kRow, kSecondPoint, kFirstPoint };

Var dim_from_last(const Func& f, FromLast place) { return dim_of(f, f.rank() - 1 - place); }

/// v/a/b: v and a*b
std::optional<std::pair<std::string, std::int64_t>> quotient(const Expr& index) {
  std::int64_t divisor = 1;
  Expr at = index;
  while (at->kind == ir::ExprKind::Div) {
    const std::int64_t* by = ir::as_int((*at)[1]);
    if (!by) return std::nullopt;
    divisor *= *by;
    at = (*at)[0];
  }
  if (at->kind != ir::ExprKind::Var) return std::nullopt;
  return std::pair{at->name, divisor};
}

/// Which dimension of the output lies along each of the block's, and how many tiles a block has. Needs: their
/// size.
bool find_blocks(const Func& result, Parts& parts) {
  const std::vector<std::string>& dims = result.contents().dims;
  for (const classify::Access& read : classify::classify(result.contents()).reads) {
    if (read.tensor != parts.product.shared()) continue;
    const std::size_t first = read.indices.size() - 7;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto block = quotient(read.indices[first + i].index);
      if (!block || block->second % parts.size != 0) return false;
      parts.dim[i] = static_cast<int>(std::ranges::find(dims, block->first) - dims.begin());
      parts.tiles[i] = static_cast<int>(block->second / parts.size);
    }
    const Expr& channel = read.indices.back().index;
    if (channel->kind != ir::ExprKind::Var) return false;
    parts.channel = static_cast<int>(std::ranges::find(dims, channel->name) - dims.begin());
    return true;
  }
  return false;
}

std::optional<Parts> winograd_parts(const Group& group) {
  if (group.anchors.size() != 1 || group.outputs.size() != 1 || group.epilogue.empty()) return std::nullopt;
  const Func& product = group.anchors[0];
  // Rows and columns are blocks, points and tiles of a block.
  if (product.updates() != 1 || product.rank() != group.epilogue[0].rank() + 4) return std::nullopt;
  const classify::Classification kind = classify::classify(product.contents());
  if (!kind.roles || !kind.windows.empty() || kind.roles->k.size() != 1) return std::nullopt;
  Parts parts;
  parts.product = product;
  parts.out = group.outputs[0];
  bool has_patch = false, has_weights = false;
  for (const classify::Access* factor : {&kind.roles->a, &kind.roles->b}) {
    for (const Func& func : group.prologue) {
      if (func.shared() != factor->tensor || func.rank() != product.rank()) continue;
      parts.patch = func;
      has_patch = true;
    }
    for (std::size_t i = 0; i < group.operands.size(); ++i) {
      if (group.operands[i].input.shared() != factor->tensor || group.operands[i].input.rank() != 4) continue;
      parts.weights = i;
      has_weights = group.operands[i].is_constant;
    }
  }
  if (!has_patch || !has_weights) return std::nullopt;
  const std::vector<Expr>& shape = group.operands[parts.weights].stored.extents;
  parts.size = static_cast<int>(*ir::as_int(shape[0])) - 2;
  if (parts.size < 2 || !find_blocks(group.epilogue[0], parts)) return std::nullopt;
  parts.inputs = *ir::as_int(shape[2]);
  parts.outputs = *ir::as_int(shape[3]);
  return parts;
}

/// Those of the tile that the group was made for.
int winograd_vectors(const Group& group, const Parts& parts, const Target& target) {
  const std::vector<std::int64_t> extents = likely_shape(group.stored[0]);
  const auto extent = [&](std::size_t i) { return extents[static_cast<std::size_t>(parts.dim[i])]; };
  for (const WinogradChoice& choice :
       winograd_choices({extent(0), extent(1), parts.inputs, parts.outputs}, target)) {
    const WinogradTile& tile = choice.tile;
    if (tile.size == parts.size && tile.rows == parts.tiles[0] && tile.columns == parts.tiles[1])
      return tile.vectors;
  }
  return 1;
}

}  // namespace

bool applies_winograd(const Group& group, const Target& target) {
  return target.group_items == 1 && winograd_parts(group).has_value();
}

Space winograd_space(const Group& group, const Target& target) {
  const Parts parts = *winograd_parts(group);
  std::vector<int> vectors, inputs;
  for (int i = 1; i <= 4; ++i) {
    if (parts.outputs % (i * target.vector_width) == 0) vectors.push_back(i);
  }
  for (int i = target.vector_width; i <= parts.inputs; i += target.vector_width) {
    if (parts.inputs % i == 0) inputs.push_back(i);
  }
  return {{{"vectors", vectors}, {"inputs", inputs}, {"lanes", {target.vector_width}}},
          {{"vectors", winograd_vectors(group, parts, target)},
           {"inputs", winograd_inputs(parts.inputs, {parts.tiles[0], parts.tiles[1], 1, parts.size}, target)},
           {"lanes", target.vector_width}}};
}

std::map<std::size_t, Layout> layouts_for_winograd(const Group& group, const Point& point) {
  using Part = Layout::Term::Part;
  const Parts parts = *winograd_parts(group);
  const int panel = point["vectors"] * point["lanes"];
  return {
      {parts.weights,
       Layout::of(
           {{3, Part::Quotient, panel}, {.dim = 0}, {.dim = 1}, {.dim = 2}, {3, Part::Remainder, panel}})}};
}

void apply_winograd(const Group& group, const Point& point, const Target&) {
  Parts p = *winograd_parts(group);
  const int lanes = point["lanes"];
  const Var panel("panel"), in_panel("in_panel"), vector("vector"), element("element"), outer("outer"),
      inner("inner");
  const std::array blocks{Var("block_of_rows"), Var("block_of_columns")};
  const std::array tiles{Var("tile_of_rows"), Var("tile_of_columns")};
  const std::array places{Var("row_of_tile"), Var("column_of_tile")};
  const std::array in_block{Var("row_of_block"), Var("column_of_block")};
  p.out.split(dim_of(p.out, p.channel), panel, in_panel, point["vectors"] * lanes, Tail::Exact)
      .split(in_panel, vector, element, lanes);
  for (std::size_t i = 0; i < 2; ++i)
    p.out.split(dim_of(p.out, p.dim[i]), blocks[i], in_block[i], p.size * p.tiles[i])
        .split(in_block[i], tiles[i], places[i], p.size);
  std::vector<Var> rows{panel};
  for (int d = 0; d < p.out.rank(); ++d) {
    if (d != p.channel && d != p.dim[0] && d != p.dim[1]) rows.push_back(dim_of(p.out, d));
  }
  rows.insert(rows.end(), blocks.begin(), blocks.end());
  const Var block = run_as_blocks(p.out, rows, {tiles[0], tiles[1], vector, places[0], places[1], element});
  p.out.unroll(places[0]).unroll(places[1]).vectorize(element);

  p.product.compute_at(p.out, block);
  for (int stage = 0; stage < 2; ++stage) {
    Stage s = stage_of(p.product, stage);
    s.split(dim_from_last(p.product, kChannel), vector, element, lanes);
    std::vector<Var> loops;
    for (int d = 0; d + 5 < p.product.rank(); ++d) loops.push_back(dim_of(p.product, d));
    const Var first = dim_from_last(p.product, kFirstPoint), second = dim_from_last(p.product, kSecondPoint),
              row = dim_from_last(p.product, kRow), column = dim_from_last(p.product, kColumn);
    if (stage == 1) {
      s.split(axes_of(p.product)[0], outer, inner, point["inputs"], Tail::Exact);
      loops.insert(loops.end(), {outer, first, second, inner});
    } else {
      loops.insert(loops.end(), {first, second});
    }
    loops.insert(loops.end(), {row, column, vector, element});
    s.reorder(loops).unroll(row).unroll(column).unroll(vector).vectorize(element);
  }

  p.patch.compute_at(p.product.update(), outer);
  p.patch.split(dim_from_last(p.patch, kChannel), outer, element, lanes);
  std::vector<Var> loops;
  for (int d = 0; d + 5 < p.patch.rank(); ++d) loops.push_back(dim_of(p.patch, d));
  const Var first = dim_from_last(p.patch, kFirstPoint), second = dim_from_last(p.patch, kSecondPoint);
  loops.insert(loops.end(), {dim_from_last(p.patch, kRow), dim_from_last(p.patch, kColumn), outer, first,
                             second, element});
  p.patch.reorder(loops).unroll(first).unroll(second).vectorize(element);
}

}  // namespace tensordsl::schedules
