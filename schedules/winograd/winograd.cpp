#include "schedules/winograd/winograd.h"

#include <algorithm>
#include <array>
#include <variant>

#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"
#include "schedules/winograd/choose_winograd_tile.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;
using definitions::WinogradForm;

/// Dimensions of patches and products, counted from the last one.
enum FromLast { kChannel, kColumn, kRow, kSecondPoint, kFirstPoint };

Var dim_from_last(const Func& f, FromLast place) { return dim_of(f, f.rank() - 1 - place); }

const WinogradForm& winograd_of(const StoredGroup& group) { return std::get<WinogradForm>(group.form); }

}  // namespace

bool applies_winograd(const StoredGroup& group, const Target&) {
  return std::holds_alternative<WinogradForm>(group.form);
}

Space winograd_space(const StoredGroup& group, const Target& target) {
  const WinogradForm& form = winograd_of(group);
  std::vector<int> vectors, inputs;
  for (int i = 1; i <= 4; ++i) {
    if (form.outputs % (i * target.vector_width) == 0) vectors.push_back(i);
  }
  for (int i = target.vector_width; i <= form.inputs; i += target.vector_width) {
    if (form.inputs % i == 0) inputs.push_back(i);
  }
  return {{{"vectors", vectors}, {"inputs", inputs}, {"lanes", {target.vector_width}}},
          {{"vectors", form.tile.vectors},
           {"inputs", winograd_inputs(form.inputs, form.tile, target)},
           {"lanes", target.vector_width}}};
}

WantedStorage storage_for_winograd(const StoredGroup& group, const Point& point) {
  using Part = Layout::Term::Part;
  const auto weights =
      std::ranges::find(group.operands, winograd_of(group).weights, &definitions::GroupOperand::tensor) -
      group.operands.begin();
  const int panel = point["vectors"] * point["lanes"];
  return {
      {static_cast<std::size_t>(weights),
       {Layout::of(
           {{3, Part::Quotient, panel}, {.dim = 0}, {.dim = 1}, {.dim = 2}, {3, Part::Remainder, panel}})}}};
}

void apply_winograd(const StoredGroup& group, const Point& point, const Target&) {
  WinogradForm p = winograd_of(group);
  Func out = group.outputs[0];
  const std::array dims{p.row, p.column}, tiles_of_block{p.tile.rows, p.tile.columns};
  const int lanes = point["lanes"];
  const Var panel("panel"), in_panel("in_panel"), vector("vector"), element("element"), outer("outer"),
      inner("inner");
  const std::array blocks{Var("block_of_rows"), Var("block_of_columns")};
  const std::array tiles{Var("tile_of_rows"), Var("tile_of_columns")};
  const std::array places{Var("row_of_tile"), Var("column_of_tile")};
  const std::array in_block{Var("row_of_block"), Var("column_of_block")};
  out.split(dim_of(out, p.channel), panel, in_panel, point["vectors"] * lanes, Tail::Exact)
      .split(in_panel, vector, element, lanes);
  for (std::size_t i = 0; i < 2; ++i)
    out.split(dim_of(out, dims[i]), blocks[i], in_block[i], p.tile.size * tiles_of_block[i])
        .split(in_block[i], tiles[i], places[i], p.tile.size);
  std::vector<Var> rows{panel};
  for (int d = 0; d < out.rank(); ++d) {
    if (d != p.channel && d != p.row && d != p.column) rows.push_back(dim_of(out, d));
  }
  rows.insert(rows.end(), blocks.begin(), blocks.end());
  const Var block = run_as_blocks(out, rows, {tiles[0], tiles[1], vector, places[0], places[1], element});
  out.unroll(places[0]).unroll(places[1]).vectorize(element);

  p.product.compute_at(out, block);
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
