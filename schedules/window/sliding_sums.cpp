#include "schedules/window/sliding_sums.h"

#include <variant>
#include <vector>

#include "classify/classify.h"
#include "schedule/func_schedule.h"
#include "schedules/product/weight_layouts.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::SlidingForm;
using definitions::StoredGroup;

const SlidingForm& sliding_of(const StoredGroup& group) { return std::get<SlidingForm>(group.form); }

/// Loops over all dimensions but columns and channels, and over the axes of an update.
std::vector<Var> outer_loops(const SlidingForm& form, const Func& f, int stage) {
  std::vector<Var> loops;
  for (const int dim : form.others) loops.push_back(dim_of(f, dim));
  loops.push_back(dim_of(f, form.rows));
  if (stage > 0) {
    for (const Var& axis : axes_of(f)) loops.push_back(axis);
  }
  return loops;
}

/// A tile in registers.
void keep_sums_in_registers(const SlidingForm& form, const Func& f, int lanes) {
  const Var columns = dim_of(f, form.columns), channel = dim_of(f, form.channel);
  for (int i = 0; i < 2; ++i) {
    Stage stage = stage_of(f, i);
    std::vector<Var> loops = outer_loops(form, f, i);
    loops.insert(loops.end(), {columns, channel});
    stage.reorder(loops);
    if (lanes > 1) stage.vectorize(channel, lanes);
    stage.unroll(channel).unroll(columns);
  }
}

/// The loops of a pure Func over tiles of columns and channels, which are computed at the loop that is
/// returned.
Var run_in_tiles(const SlidingForm& form, Func& f, int pixels, int lanes) {
  const Var outer("outer"), inner("inner");
  const Var channel = dim_of(f, form.channel);
  f.split(dim_of(f, form.columns), outer, inner, pixels, Tail::ShiftInwards);
  std::vector<Var> loops = outer_loops(form, f, 0);
  loops.insert(loops.end(), {outer, inner, channel});
  f.reorder(loops);
  if (lanes > 1) f.vectorize(channel, lanes);
  f.unroll(channel).unroll(inner);
  return outer;
}

}  // namespace

bool applies_sliding_sums(const StoredGroup& group, const Target& target) {
  return target.group_items == 1 && std::holds_alternative<SlidingForm>(group.form);
}

Space sliding_sums_space(const StoredGroup& group, const Target&) {
  const definitions::SlidingProblem& problem = sliding_of(group).problem;
  const definitions::SlidingTile& tile = sliding_of(group).tile;
  const auto up_to = [&](std::int64_t most, std::int64_t limit) { return numbers(1, std::min(most, limit)); };
  return {{{"lanes", powers_of_two(16)},
           {"vectors", numbers(1, 4)},
           {"pixels", up_to(problem.source_columns, 32)},
           {"window_lanes", powers_of_two(16)},
           {"window_vectors", numbers(1, 4)},
           {"window_pixels", up_to(problem.columns, 32)},
           {"bands", numbers(1, problem.rows)}},
          {{"lanes", tile.lanes},
           {"vectors", tile.vectors},
           {"pixels", tile.pixels},
           {"window_lanes", tile.window_lanes},
           {"window_vectors", tile.window_vectors},
           {"window_pixels", tile.window_pixels},
           {"bands", tile.bands}}};
}

WantedStorage storage_for_sliding_sums(const StoredGroup& group, const Point& point) {
  const SlidingForm& form = sliding_of(group);
  WantedStorage wanted;
  for (const Func& f : {form.sum, form.window}) {
    const std::string& channel = f.contents().dims[static_cast<std::size_t>(form.channel)];
    add_weight_layouts(group, group.class_of(f), channel, point["lanes"] * point["vectors"], wanted);
  }
  return wanted;
}

void apply_sliding_sums(const StoredGroup& group, const Point& point, const Target&) {
  SlidingForm p = sliding_of(group);
  const Var block_of_channels("block_of_channels"), in_block("in_block"), tile("tile"), element("element"),
      band("band"), row("row"), outer("outer"), inner("inner");
  const std::int64_t bands = point["bands"];
  const int height = static_cast<int>((p.problem.rows + bands - 1) / bands);
  p.out
      .split(dim_of(p.out, p.channel), block_of_channels, in_block, point["lanes"] * point["vectors"],
             Tail::Exact)
      .split(in_block, tile, element, point["window_lanes"] * point["window_vectors"], Tail::Exact)
      .split(dim_of(p.out, p.rows), band, row, height, Tail::ShiftInwards)
      .split(dim_of(p.out, p.columns), outer, inner, point["window_pixels"], Tail::ShiftInwards);
  std::vector<Var> blocks;
  for (const int dim : p.others) blocks.push_back(dim_of(p.out, dim));
  blocks.insert(blocks.end(), {band, block_of_channels});
  const Var block = run_as_blocks(p.out, blocks, {row, tile, outer, inner, element});
  if (point["window_lanes"] > 1) p.out.vectorize(element, point["window_lanes"]);
  p.out.unroll(element).unroll(inner);

  p.window.compute_at(p.out, outer);
  keep_sums_in_registers(p, p.window, point["window_lanes"]);
  if (const std::vector<Var> axes = axes_of(p.window); axes.size() > 1) p.window.update().unroll(axes.back());

  p.result.compute_at(p.out, row).store_at(p.out, block);
  p.sum.compute_at(p.result, run_in_tiles(p, p.result, point["pixels"], point["lanes"]));
  keep_sums_in_registers(p, p.sum, point["lanes"]);
}

}  // namespace tensordsl::schedules
