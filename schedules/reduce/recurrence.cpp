#include "schedules/reduce/recurrence.h"

#include <algorithm>
#include <optional>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/pointwise/data_movement.h"
#include "schedules/pointwise/update_rows.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

struct Steps {
  Func states;
  Var step, element;
  std::vector<Var> others;  // axes inside a step, the outermost first, without the axis of elements
  std::int64_t elements = 0;
};

std::optional<Steps> steps_of_recurrence(const StoredGroup& group) {
  if (group.anchors.size() != 1 || group.anchors[0].updates() != 1) return std::nullopt;
  const Func& states = group.anchors[0];
  const auto is_anchor = [&](const Func& output) { return output.shared() == states.shared(); };
  if (std::ranges::any_of(group.outputs, is_anchor)) return std::nullopt;
  const ir::Definition& update = states.contents().definitions[1];
  const schedule::UpdateTraits traits = schedule::traits_of(states.contents(), update);
  if (traits.step_axis.empty() || traits.parallel_axes.size() != 1) return std::nullopt;
  Steps steps{states, Var(traits.step_axis), Var(traits.parallel_axes[0]), {}, 0};
  for (const ir::ReductionAxis& axis : update.domain) {
    const bool is_element = axis.name == steps.element.name();
    const std::int64_t* extent = ir::as_int(axis.extent);
    if (is_element && !extent) return std::nullopt;
    if (is_element) steps.elements = *extent;
    if (!is_element && axis.name != steps.step.name()) steps.others.emplace_back(axis.name);
  }
  return steps;
}

/// Returns a layout with the elements of a tile side by side, and tiles one after the other, so that a tile
/// is contiguous.
Layout in_tiles(int rank, int along, int tile) {
  using Part = Layout::Term::Part;
  std::vector<Layout::Term> terms;
  if (tile > 1) terms.push_back({along, Part::Quotient, tile});
  for (int d = 0; d < rank; ++d) {
    if (d != along) terms.push_back({.dim = d});
  }
  terms.push_back(tile > 1 ? Layout::Term{along, Part::Remainder, tile} : Layout::Term{.dim = along});
  return Layout::of(terms);
}

std::vector<Var> joined(std::vector<Var> loops, const std::vector<Var>& inner) {
  loops.insert(loops.end(), inner.begin(), inner.end());
  return loops;
}

/// Schedules the elements that exist before the first step, and those that a step begins with.
void schedule_start(Func states, const Point& point) {
  std::vector<Var> dims = dims_of(states);
  if (point["items"] > 1) return run_as_items(states, dims, point["items"]);
  const Var vectors("vectors"), lane("lane");
  states.split(dims.back(), vectors, lane, point["lanes"], Tail::Guard);
  if (point["lanes"] > 1) states.vectorize(lane);
  dims.pop_back();
  run_as_items(states, dims, 1);
}

/// rows, step, elements, others   ->   a work-group for each row: steps, then elements over its work-items
void share_step(const Steps& steps, const std::vector<Var>& rows, int items) {
  Stage update = stage_of(steps.states, 1);
  Var item = steps.element;
  std::vector<Var> inner{item};
  if (steps.elements > items) {
    const Var round("round");
    item = Var("item");
    update.split(steps.element, round, item, items, Tail::Guard);
    inner = {round, item};
  }
  update.reorder(joined(joined(joined(rows, {steps.step}), inner), steps.others)).gpu_threads(item);
}

/// rows, step, elements, others   ->   rows, step, tiles of elements, others, the elements of a tile
void tile_step(const Steps& steps, const std::vector<Var>& rows, const Point& point) {
  Stage update = stage_of(steps.states, 1);
  const Var tile("tile"), element("element"), vector("vector"), lane("lane");
  update.split(steps.element, tile, element, point["lanes"] * point["vectors"], Tail::Guard);
  update.split(element, vector, lane, point["lanes"], Tail::Exact);
  update.reorder(joined(joined(joined(rows, {steps.step, tile}), steps.others), {vector, lane}));
  update.unroll(vector);
  if (point["lanes"] > 1) update.vectorize(lane);
}

}  // namespace

bool applies_recurrence(const StoredGroup& group, const Target&) {
  return steps_of_recurrence(group).has_value();
}

Space recurrence_space(const StoredGroup& group, const Target& target) {
  const Steps steps = *steps_of_recurrence(group);
  const bool is_gpu = target.group_items > 1;
  const int lanes = is_gpu ? 1 : power_up_to(steps.elements, target.vector_width);
  // Enough independent sums for each value of a step to hide the latency of one.
  const int wanted = std::max(target.accumulators / (2 * steps.states.outputs()), 1);
  const int vectors = is_gpu ? 1 : power_dividing(steps.elements / lanes, power_up_to(wanted, 4));
  const int items = is_gpu ? target.most_group_items : 1;
  return {{{"lanes", powers_of_two(16)},
           {"vectors", powers_of_two(8)},
           {"items", is_gpu ? powers_of_two(1024) : std::vector<int>{1}}},
          {{"lanes", lanes}, {"vectors", vectors}, {"items", power_up_to(items, 1024)}}};
}

WantedStorage recurrence_storage(const StoredGroup& group, const Point& point) {
  const Steps steps = *steps_of_recurrence(group);
  const int channels = point["lanes"] * point["vectors"];
  const int tile = steps.elements % channels == 0 ? channels : 1;
  WantedStorage wanted;
  for (const classify::Access& read : group.class_of(steps.states).reads) {
    const auto operand = std::ranges::find_if(
        group.operands, [&](const definitions::GroupOperand& o) { return o.input.shared() == read.tensor; });
    const auto along = std::ranges::find_if(
        read.indices, [&](const classify::IndexMap& index) { return index.is_axis(steps.element.name()); });
    if (operand == group.operands.end() || !operand->is_constant || along == read.indices.end()) continue;
    wanted.emplace(operand - group.operands.begin(),
                   ConstantStorage{in_tiles(static_cast<int>(read.indices.size()),
                                            static_cast<int>(along - read.indices.begin()), tile)});
  }
  return wanted;
}

void apply_recurrence(const StoredGroup& group, const Point& point, const Target& target) {
  Steps steps = *steps_of_recurrence(group);
  steps.states.compute_root();
  schedule_start(steps.states, point);
  const std::vector<Var> rows = rows_of_update(steps.states, 1);
  if (point["items"] > 1) {
    share_step(steps, rows, point["items"]);
  } else {
    tile_step(steps, rows, point);
  }
  if (!rows.empty()) {
    Stage update = stage_of(steps.states, 1);
    update.gpu_blocks(fuse_all(update, rows, "row"));
  }
  apply_data_movement(group, point, target);
}

}  // namespace tensordsl::schedules
