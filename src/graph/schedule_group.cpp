#include "graph/schedule_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/choose_layouts.h"
#include "graph/choose_schedules.h"
#include "graph/count_flops.h"
#include "graph/group_key.h"
#include "graph/merge_dimensions.h"
#include "graph/stage_movement.h"
#include "schedules/target.h"

namespace tensordsl {

Group prepared_group(const PlannedGraph& plan, const TensorFuncs& funcs, std::size_t place,
                     Precision precision, const Target& target) {
  Group group = define_group(plan.graph, funcs, plan.groups[place], precision);
  group = with_layouts(std::move(group), plan.storage.layouts);
  return stage_movement(merge_dimensions(std::move(group)), target);
}

Target target_of_group(const PlannedGraph& plan, std::size_t place, const Target& target) {
  const auto most = plan.most_items.find(plan.graph.tensors[plan.groups[place].stored_tensors[0]].name);
  return most == plan.most_items.end() ? target : schedules::with_group_items(target, most->second);
}

ScheduledGroup scheduled_group(const PlannedGraph& plan, std::size_t place, Group group, const Target& target,
                               const ChosenSchedule& schedule, const ImageUse& images) {
  const DefinitionGraph& graph = plan.graph;
  store_constants_as_wanted(group, schedule);
  store_constants_in_images(graph, group, schedule, images);
  std::string key = group_key(group, schedule);
  const std::int64_t flops = count_flops(group);
  std::vector<std::string> nodes;
  for (const std::size_t tensor : plan.groups[place].tensors) {
    for (const Origin& origin : origins_of(graph.tensors[tensor])) nodes.push_back(to_string(origin));
  }
  return {std::move(group),
          target,
          schedule,
          std::move(key),
          plan.on_host[plan.groups[place].tensors[0]],
          fmt::format("{}", fmt::join(nodes, ", ")),
          flops};
}

ScheduledGroup schedule_group(const PlannedGraph& plan, const TensorFuncs& funcs, std::size_t place,
                              const ImageUse& images, const CompileOptions& options) {
  const std::string& name = plan.graph.tensors[plan.groups[place].stored_tensors[0]].name;
  const bool is_refused = plan.stood_in.contains(name);
  const Target target = target_of_group(plan, place, options.target);
  Group group = prepared_group(plan, funcs, place, options.precision, target);
  ChosenSchedule schedule = choose_schedule(group, target, is_refused);
  const bool asks = !options.schedules.empty() || options.known_schedule || options.better_apart;
  bool is_better_apart = false;
  if (asks && !is_refused && !plan.most_items.contains(name)) {
    const std::string key = group_key(group);
    is_better_apart = options.better_apart && options.better_apart(key);
    const auto scheduled = [&](const ChosenSchedule& other) {
      Group own = prepared_group(plan, funcs, place, options.precision, target);
      return scheduled_group(plan, place, std::move(own), target, other, images);
    };
    const auto chosen = options.schedules.find(key);
    std::optional<ChosenSchedule> known;
    if (chosen != options.schedules.end()) {
      known = chosen->second;
    } else if (options.known_schedule && plan.on_host[plan.groups[place].tensors[0]].empty()) {
      known = options.known_schedule({key, group, target, schedule, scheduled});
    }
    if (known) schedule = *known;
  }
  ScheduledGroup result = scheduled_group(plan, place, std::move(group), target, schedule, images);
  result.is_better_apart = is_better_apart;
  return result;
}

}  // namespace tensordsl
