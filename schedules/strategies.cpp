#include "schedules/strategies.h"

#include <algorithm>
#include <array>

#include "schedules/attention/attention.h"
#include "schedules/pointwise/data_movement.h"
#include "schedules/pointwise/per_item.h"
#include "schedules/pointwise/tiled_producers.h"
#include "schedules/pointwise/update_in_parts.h"
#include "schedules/pointwise/update_in_place.h"
#include "schedules/product/chained_sums.h"
#include "schedules/product/matrix_product.h"
#include "schedules/product/split_product.h"
#include "schedules/product/staged_product.h"
#include "schedules/reduce/recurrence.h"
#include "schedules/reduce/row_reduction.h"
#include "schedules/reduce/row_scan.h"
#include "schedules/reduce/separate_reductions.h"
#include "schedules/window/sliding_sums.h"
#include "schedules/window/staged_windows.h"
#include "schedules/window/stencil_rows.h"
#include "schedules/window/tiled_reduction.h"
#include "schedules/winograd/winograd.h"

namespace tensordsl::schedules {
namespace {

constexpr std::array kStrategies{attention(),      winograd(),        sliding_sums(),        chained_sums(),
                                 matrix_product(), split_product(),   staged_product(),      staged_windows(),
                                 row_reduction(),  tiled_reduction(), separate_reductions(), recurrence(),
                                 row_scan(),       data_movement()};

/// Strategies for pipelines that users write; the graph compiler does not try them.
constexpr std::array kOtherStrategies{tiled_producers(), update_in_place(), update_in_parts(), per_item(),
                                      stencil_rows()};

const Strategy* same_as(const Strategy& strategy) { return find_strategy(strategy.name); }

bool has_tuples(const definitions::StoredGroup& group) {
  const auto is_tuple = [](const Func& func) { return func.outputs() > 1; };
  return std::ranges::any_of(group.prologue, is_tuple) || std::ranges::any_of(group.anchors, is_tuple) ||
         std::ranges::any_of(group.outputs, is_tuple);
}

}  // namespace

std::span<const Strategy> strategies() { return kStrategies; }

std::vector<const Strategy*> all_strategies() {
  std::vector<const Strategy*> all;
  for (const Strategy& strategy : kStrategies) all.push_back(&strategy);
  return all;
}

std::vector<const Strategy*> strategies_for(const definitions::StoredGroup& group) {
  if (!group.kept.empty()) {
    const bool has_sums = std::ranges::any_of(group.anchors, [](const Func& f) { return f.updates() > 0; });
    return {same_as(has_sums ? row_reduction() : tiled_producers())};
  }
  if (group.outputs[0].updates() > 0) return {same_as(update_in_place()), same_as(update_in_parts())};
  std::vector<const Strategy*> result;
  if (!has_tuples(group)) {
    result = all_strategies();
    for (const Strategy& strategy : {per_item(), stencil_rows()})
      result.insert(result.end() - 1, same_as(strategy));
  } else {
    result = {same_as(per_item()), &kStrategies.back()};
  }
  return result;
}

const Strategy* find_strategy(std::string_view name) {
  for (const std::span<const Strategy> all : {std::span<const Strategy>(kStrategies), {kOtherStrategies}}) {
    const auto found = std::ranges::find(all, name, &Strategy::name);
    if (found != all.end()) return &*found;
  }
  return nullptr;
}

}  // namespace tensordsl::schedules
