#include "graph/schedule/schedule_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/run_in_parallel.h"
#include "graph/schedule/choose_images.h"
#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/count_flops.h"
#include "graph/schedule/define_group.h"
#include "graph/schedule/group_key.h"
#include "graph/schedule/merge_dimensions.h"
#include "graph/schedule/stage_views.h"
#include "schedules/support/target.h"

namespace tensordsl::graph {
namespace {

/// Returns what a schedule of that group is for: `target`, with the work-items that its kernels may have.
Target target_of_group(const Graph& graph, std::size_t place, const Target& target) {
  const auto most =
      graph.fallbacks.most_items.find(graph.definitions.tensors[graph.groups[place].stored_tensors[0]].name);
  return most == graph.fallbacks.most_items.end() ? target
                                                  : schedules::with_group_items(target, most->second);
}

}  // namespace

StoredGroup prepared_group(const Graph& graph, const TensorFuncs& funcs, std::size_t place,
                           Precision precision, const Target& target) {
  StoredGroup group = define_group(graph.definitions, funcs, graph.groups[place], precision);
  group = with_layouts(std::move(group), graph.storage.layouts);
  return stage_views(merge_dimensions(std::move(group)), target);
}

ScheduledGroup scheduled_group(const Graph& graph, std::size_t place, StoredGroup group, const Target& target,
                               const ChosenSchedule& schedule) {
  store_constants_as_wanted(group, schedule);
  store_constants_in_images(graph, group, schedule);
  std::string key = group_key(group, schedule);
  const std::int64_t flops = count_flops(group);
  std::vector<std::string> nodes;
  for (const std::size_t tensor : graph.groups[place].tensors) {
    for (const Origin& origin : origins_of(graph.definitions.tensors[tensor]))
      nodes.push_back(to_string(origin));
  }
  return {std::move(group),
          target,
          schedule,
          std::move(key),
          graph.on_host[graph.groups[place].tensors[0]],
          fmt::format("{}", fmt::join(nodes, ", ")),
          flops};
}

ScheduledGroup schedule_group(const Graph& graph, const TensorFuncs& funcs, std::size_t place,
                              const CompileOptions& options) {
  const std::string& name = graph.definitions.tensors[graph.groups[place].stored_tensors[0]].name;
  const bool is_refused = graph.fallbacks.strategy.contains(name);
  const Target target = target_of_group(graph, place, options.target);
  StoredGroup group = prepared_group(graph, funcs, place, options.precision, target);
  ChosenSchedule schedule = choose_schedule(group, target, is_refused);
  const bool asks = !options.schedules.empty() || options.known_schedule || options.better_apart;
  bool is_better_apart = false;
  if (asks && !is_refused && !graph.fallbacks.most_items.contains(name)) {
    const records::KernelKey key = group_key(group);
    is_better_apart = options.better_apart && options.better_apart(key.structure);
    const auto scheduled = [&](const ChosenSchedule& other) {
      StoredGroup own = prepared_group(graph, funcs, place, options.precision, target);
      return scheduled_group(graph, place, std::move(own), target, other);
    };
    const auto chosen = options.schedules.find(key.structure);
    std::optional<ChosenSchedule> known;
    if (chosen != options.schedules.end()) {
      known = chosen->second;
    } else if (options.known_schedule && graph.on_host[graph.groups[place].tensors[0]].empty()) {
      known = options.known_schedule({key, group, target, schedule, scheduled});
    }
    if (known) schedule = *known;
  }
  ScheduledGroup result = scheduled_group(graph, place, std::move(group), target, schedule);
  result.is_better_apart = is_better_apart;
  return result;
}

std::vector<ScheduledGroup> scheduled_groups(const Graph& graph, const CompileOptions& options) {
  const TensorFuncs funcs(graph.definitions);
  std::vector<ScheduledGroup> scheduled(graph.groups.size());
  run_in_parallel(
      static_cast<int>(graph.groups.size()),
      [&](int job) {
        const auto i = static_cast<std::size_t>(job);
        scheduled[i] = schedule_group(graph, funcs, i, options);
      },
      nullptr, options.threads);
  return scheduled;
}

void schedule_groups(Graph& graph, const GraphContext& context) {
  graph.scheduled = scheduled_groups(graph, context.options);
}

}  // namespace tensordsl::graph
