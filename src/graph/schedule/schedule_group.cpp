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
#include "schedules/support/target_of_profile.h"

namespace tensordsl::graph {
namespace {

/// Returns the target of a group's schedule: `target`, with the work-items that its kernels may have.
Target target_of_group(const Graph& graph, std::size_t place, const Target& target) {
  const auto most = graph.fallbacks.most_items(stored_name(graph, place));
  return most ? schedules::with_group_items(target, *most) : target;
}

}  // namespace

definitions::StoredGroup prepared_group(const Graph& graph, const definitions::TensorFuncs& funcs,
                                        std::size_t place, Precision precision, const Target& target) {
  definitions::StoredGroup group = define_group(graph.definitions, funcs, graph.groups[place], precision);
  group = with_layouts(std::move(group), graph.storage.layouts);
  return stage_views(merge_dimensions(std::move(group)), target);
}

ScheduledGroup scheduled_group(const Graph& graph, std::size_t place, definitions::StoredGroup group,
                               const Target& target, const GroupSchedule& schedule) {
  store_constants_as_wanted(group, schedule);
  store_constants_in_images(graph, group, schedule);
  std::string key = group_key(group, schedule);
  const std::int64_t flops = count_flops(group);
  std::vector<std::string> nodes;
  for (const std::size_t tensor : graph.groups[place].tensors) {
    for (const definitions::Origin& origin : origins_of(graph.definitions.tensors[tensor]))
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

ScheduledGroup schedule_group(const Graph& graph, const definitions::TensorFuncs& funcs, std::size_t place,
                              const CompileOptions& options, CheapestSchedules* cheapest) {
  const std::string& name = stored_name(graph, place);
  const Fallbacks& fallbacks = graph.fallbacks;
  const Fallbacks::Strategies& refused = fallbacks.strategies(name);
  const Target target = target_of_group(graph, place, options.target);
  definitions::StoredGroup group = prepared_group(graph, funcs, place, options.precision, target);
  std::optional<GroupSchedule> schedule =
      refused.empty() ? choose_schedule(group, target) : choose_other_schedule(group, target, refused);
  if (!schedule) {
    // The host computes it, and the schedule only says how constants lie.
    ScheduledGroup result =
        scheduled_group(graph, place, std::move(group), target, choose_schedule(group, target));
    if (result.refusal.empty()) result.refusal = refused.back().reason;
    return result;
  }
  const bool asks = !options.schedules.empty() || options.known_schedule || options.better_apart;
  const bool is_limited =
      !refused.empty() || fallbacks.is_refused(Refusal::Tuned, name) || fallbacks.most_items(name);
  bool is_better_apart = false, is_tuned = false, is_priced = false;
  if (asks && !is_limited) {
    const records::KernelKey key = group_key(group);
    is_better_apart = options.better_apart && options.better_apart(key.structure);
    const auto scheduled = [&](const GroupSchedule& other) {
      definitions::StoredGroup own = prepared_group(graph, funcs, place, options.precision, target);
      return scheduled_group(graph, place, std::move(own), target, other);
    };
    const auto chosen = options.schedules.find(key.structure);
    std::optional<GroupSchedule> known;
    if (chosen != options.schedules.end()) {
      known = chosen->second;
    } else if (options.known_schedule && graph.on_host[graph.groups[place].tensors[0]].empty()) {
      known = options.known_schedule({key, group, target, *schedule, scheduled});
    }
    is_tuned = known.has_value();
    if (known) schedule = known;
  }
  if (cheapest && !is_tuned && !is_limited) {
    const GroupSchedule priced = cheapest->of(group, *schedule, target,
                                              [&](definitions::StoredGroup& own, const GroupSchedule& other) {
                                                store_constants_as_wanted(own, other);
                                                store_constants_in_images(graph, own, other);
                                              });
    is_priced = priced.strategy != schedule->strategy || priced.point != schedule->point;
    schedule = priced;
  }
  ScheduledGroup result = scheduled_group(graph, place, std::move(group), target, *schedule);
  result.is_better_apart = is_better_apart;
  result.is_tuned = is_tuned;
  result.is_priced = is_priced;
  return result;
}

std::unique_ptr<CheapestSchedules> priced_schedules(const CompileOptions& options) {
  // Outlines have been compared with kernels of devices that run many work-items at a time.
  if (!options.profile || !options.profile->has_many_items()) return nullptr;
  return std::make_unique<CheapestSchedules>(*options.profile, options.device);
}

std::vector<ScheduledGroup> scheduled_groups(const Graph& graph, const CompileOptions& options,
                                             CheapestSchedules* cheapest) {
  const definitions::TensorFuncs funcs(graph.definitions);
  std::vector<ScheduledGroup> scheduled(graph.groups.size());
  run_in_parallel(
      static_cast<int>(graph.groups.size()),
      [&](int job) {
        const auto i = static_cast<std::size_t>(job);
        scheduled[i] = schedule_group(graph, funcs, i, options, cheapest);
      },
      nullptr, options.threads);
  return scheduled;
}

void schedule_groups(Graph& graph, const GraphContext& context) {
  const CompileOptions& options = context.options;
  graph.scheduled = scheduled_groups(graph, options, priced_schedules(options).get());
}

}  // namespace tensordsl::graph
