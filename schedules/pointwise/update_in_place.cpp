#include "schedules/pointwise/update_in_place.h"

#include <algorithm>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/transform.hpp>

#include "schedule/func_schedule.h"
#include "schedules/pointwise/update_rows.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

std::int64_t extent_from_end(const StoredGroup& group, std::size_t from_end) {
  const std::vector<std::int64_t> extents = likely_shape(group.stored[0]);
  return extents.size() > from_end ? extents[extents.size() - 1 - from_end] : 1;
}

/// The reduction axes of a stage, the outermost first.
std::vector<Var> axes_of_stage(const Func& func, int stage) {
  return func.contents().definitions[static_cast<std::size_t>(stage)].domain |
         ranges::views::transform([](const ir::ReductionAxis& axis) { return Var(axis.name); }) |
         ranges::to<std::vector>();
}

/// Distributes the outer loops over work-items; where a group is a core, as few of them as keep all cores
/// busy.
void spread(Stage stage, const std::vector<Var>& loops, const std::vector<std::int64_t>& extents,
            const Point& point, const Target& target) {
  std::vector<Var> spread_loops = loops;
  if (point["items"] == 1) {
    std::size_t count = 0;
    for (std::int64_t groups = 1; count < loops.size() && groups < 8LL * target.compute_units; ++count)
      groups *= extents[count];
    spread_loops.resize(count);
  }
  run_as_items(stage, spread_loops, point["items"]);
}

/// rows, axes   ->   rows outside, axes, and the vectors and pixels of a work-item inside
void schedule_stage(const StoredGroup& group, int stage_number, const Point& point, const Target& target) {
  const Func& out = group.outputs[0];
  const std::vector<Var> rows = stage_number == 0 ? dims_of(out) : rows_of_update(out, stage_number);
  if (rows.empty()) return;  // one work-item goes through all of it
  Stage stage = stage_of(out, stage_number);
  std::vector<std::int64_t> extents;
  for (const Var& row : rows) {
    const std::vector<Var> dims = dims_of(out);
    const auto dim = std::ranges::find(dims, row.name(), &Var::name);
    extents.push_back(likely_shape(group.stored[0])[static_cast<std::size_t>(dim - dims.begin())]);
  }
  std::vector<Var> outside = rows, inside;
  const bool is_along_memory = rows.back().name() == dim_of(out, out.rank() - 1).name();
  if (point["lanes"] > 1 && is_along_memory) {
    const Var vectors("vectors"), lane("lane");
    stage.split(outside.back(), vectors, lane, point["lanes"], Tail::Guard).vectorize(lane);
    outside.back() = vectors;
    extents.back() = (extents.back() + point["lanes"] - 1) / point["lanes"];
    inside.push_back(lane);
  }
  const bool has_pixels = point["pixels"] > 1 && rows.size() > 1 && stage_number > 0;
  if (has_pixels) {
    const Var pixels("pixels"), pixel("pixel");
    Var& row = outside[outside.size() - 2];
    stage.split(row, pixels, pixel, point["pixels"], Tail::Guard).unroll(pixel);
    row = pixels;
    extents[extents.size() - 2] = (extents[extents.size() - 2] + point["pixels"] - 1) / point["pixels"];
    inside.insert(inside.begin(), pixel);
  }
  std::vector<Var> order = outside;
  const std::vector<Var> axes = axes_of_stage(out, stage_number);
  order.insert(order.end(), axes.begin(), axes.end());
  order.insert(order.end(), inside.begin(), inside.end());
  stage.reorder(order);
  spread(stage, outside, extents, point, target);
}

}  // namespace

bool applies_update_in_place(const StoredGroup& group, const Target&) {
  return group.outputs.size() == 1 && group.outputs[0].updates() > 0;
}

Space update_in_place_space(const StoredGroup& group, const Target& target) {
  int lanes = group.outputs[0].rank() > 0 && is_known(group.stored[0], group.outputs[0].rank() - 1)
                  ? target.vector_width
                  : 1;
  lanes = power_dividing(extent_from_end(group, 0), lanes);
  const bool is_gpu = target.group_items > 1;
  const int pixels = power_dividing(extent_from_end(group, 1), is_gpu ? 1 : 4);
  return {
      {{"lanes", powers_of_two(16)}, {"pixels", numbers(1, 8)}, {"items", powers_of_two(is_gpu ? 256 : 1)}},
      {{"lanes", is_gpu ? 1 : lanes}, {"pixels", pixels}, {"items", target.group_items}}};
}

void apply_update_in_place(const StoredGroup& group, const Point& point, const Target& target) {
  for (int stage = 0; stage <= group.outputs[0].updates(); ++stage)
    schedule_stage(group, stage, point, target);
}

}  // namespace tensordsl::schedules
