#include "graph/schedule/choose_schedules.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedules/strategies.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {

GroupSchedule first_schedule(const std::vector<const schedules::Strategy*>& strategies,
                             const definitions::StoredGroup& group, const Target& target) {
  const schedules::Strategy& first = **std::ranges::find_if(
      strategies, [&](const schedules::Strategy* strategy) { return strategy->applies(group, target); });
  return {&first, first.space(group, target).first};
}

GroupSchedule choose_schedule(const definitions::StoredGroup& group, const Target& target) {
  return first_schedule(schedules::all_strategies(), group, target);
}

std::optional<GroupSchedule> choose_other_schedule(const definitions::StoredGroup& group,
                                                   const Target& target,
                                                   const Fallbacks::Strategies& refused) {
  std::vector<const schedules::Strategy*> left = schedules::all_strategies();
  std::erase_if(left, [&](const schedules::Strategy* s) { return !s->applies(group, target); });
  for (const schedules::Strategy* strategy : left) {
    if (!contains(refused, strategy->name) || strategy->fallback.empty()) continue;
    left.insert(left.begin(), schedules::find_strategy(strategy->fallback));
    break;
  }
  std::erase_if(left, [&](const schedules::Strategy* s) { return contains(refused, s->name); });
  if (left.empty()) return std::nullopt;
  return first_schedule(left, group, target);
}

void store_constants_as_wanted(definitions::StoredGroup& group, const GroupSchedule& schedule) {
  if (!schedule.strategy->wanted_storage) return;
  for (const auto& [operand, wanted] : schedule.strategy->wanted_storage(group, schedule.point)) {
    if (!group.operands[operand].is_constant) {
      throw InternalError(fmt::format("{} requires a layout of {}, which is not a constant",
                                      schedule.strategy->name, group.operands[operand].input.name()));
    }
    group.operands[operand].stored.layout = wanted.layout;
  }
}

void apply_schedule(definitions::StoredGroup& group, const GroupSchedule& schedule, const Target& target) {
  for (definitions::GroupOperand& operand : group.operands) {
    operand.input.layout(operand.stored.layout);
    if (operand.stored.image) operand.input.set_image(*operand.stored.image);
  }
  for (std::size_t i = 0; i < group.outputs.size(); ++i) {
    group.outputs[i].bound(group.stored[i].extents).layout(group.stored[i].layout);
    if (group.stored[i].image) group.outputs[i].set_image(*group.stored[i].image);
  }
  schedule.strategy->apply(group, schedule.point, target);
}

}  // namespace tensordsl::graph
