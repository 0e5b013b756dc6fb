#include "graph/compile_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/run_in_parallel.h"
#include "graph/assemble_program.h"
#include "graph/choose_host.h"
#include "graph/choose_layouts.h"
#include "graph/choose_overwritten.h"
#include "graph/choose_schedules.h"
#include "graph/describe_group.h"
#include "graph/eliminate_movement.h"
#include "graph/fuse.h"
#include "graph/fuse_attention.h"
#include "graph/group_key.h"
#include "graph/merge_dimensions.h"
#include "graph/merge_products.h"
#include "graph/plan_storage.h"
#include "graph/recognize_rolls.h"
#include "graph/share_memory.h"
#include "graph/simplify_graph.h"
#include "schedules/attention.h"

namespace tensordsl {
namespace {

/// The passes over one group.
ScheduledGroup schedule_group(const DefinitionGraph& graph, const TensorFuncs& funcs, const Group& fused,
                              const TensorStorage& storage, const CompileOptions& options) {
  Group group = define_group(graph, funcs, fused, options.precision);
  group = with_layouts(std::move(group), storage.layouts);
  group = merge_dimensions(std::move(group));
  const ChosenSchedule schedule = choose_schedule(group, options.target);
  store_constants_as_wanted(group, schedule);
  std::string key = group_key(group, schedule);
  std::vector<std::string> nodes;
  for (const std::size_t tensor : fused.tensors) {
    for (const Origin& origin : origins_of(graph.tensors[tensor])) nodes.push_back(to_string(origin));
  }
  return {std::move(group), schedule, std::move(key), {}, fmt::format("{}", fmt::join(nodes, ", "))};
}

/// The passes that do not depend on the device.
DefinitionGraph simple(DefinitionGraph graph, const CompileOptions& options) {
  graph = simplify_graph(std::move(graph));
  if (options.optimizations.movement_elimination) graph = recognize_rolls(std::move(graph), options.on_host);
  // What merge_products leaves of each product is a movement.
  if (options.optimizations.fusion && options.optimizations.movement_elimination)
    graph = merge_products(std::move(graph), options.on_host);
  return graph;
}

/// The passes that do. `apart`: tensors (DefinedTensor::name) that are not fused with others into one.
DefinitionGraph for_device(DefinitionGraph graph, const CompileOptions& options,
                           const std::set<std::string>& apart) {
  if (options.optimizations.fusion)
    graph = fuse_attention(std::move(graph), options.target, options.on_host, apart);
  if (options.optimizations.movement_elimination)
    graph = eliminate_movement(std::move(graph), options.on_host);
  return graph;
}

/// A graph on its way, one group after the other.
struct Compilation {
  DefinitionGraph graph;
  std::vector<std::string> on_host;
  std::vector<Group> groups;
  TensorStorage storage;

  Compilation(const DefinitionGraph& simplified, const CompileOptions& options,
              const std::set<std::string>& apart)
      : graph(for_device(simplified, options, apart)),
        on_host(choose_host(graph, options)),
        groups(options.optimizations.fusion ? fuse(graph, on_host) : separate(graph)),
        storage(plan_storage(graph, groups, options.optimizations)) {}
};

/// The attention in a group that the device refuses as one kernel.
std::vector<std::string> too_large(const Compilation& compilation, const ScheduledGroup& group,
                                   const LoweredGroup& program) {
  std::vector<std::string> names;
  const bool is_refused = !program.program && group.refusal.empty();
  if (!is_refused || group.schedule.strategy->name != schedules::attention().name) return names;
  for (const std::size_t tensor : group.group.tensors) {
    if (!compilation.graph.tensors[tensor].fused.empty())
      names.push_back(compilation.graph.tensors[tensor].name);
  }
  return names;
}

}  // namespace

Program compile_graph(DefinitionGraph graph, const CompileOptions& options) {
  graph = simple(std::move(graph), options);
  std::set<std::string> apart;
  for (;;) {
    const Compilation compilation(graph, options, apart);
    const TensorFuncs funcs(compilation.graph);
    const std::vector<Group>& groups = compilation.groups;
    std::vector<ScheduledGroup> scheduled(groups.size());
    run_in_parallel(
        static_cast<int>(groups.size()),
        [&](int job) {
          const auto i = static_cast<std::size_t>(job);
          scheduled[i] = schedule_group(compilation.graph, funcs, groups[i], compilation.storage, options);
          scheduled[i].refusal = compilation.on_host[groups[i].tensors[0]];
        },
        nullptr, options.threads);
    if (options.optimizations.memory_plan)
      choose_overwritten(compilation.graph, compilation.storage, scheduled);
    const auto programs = lower_groups(scheduled, options);
    const std::size_t before = apart.size();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::vector<std::string> names = too_large(compilation, scheduled[i], programs[i]);
      if (names.empty()) continue;
      apart.insert(names.begin(), names.end());
      graph.warnings.push_back(
          fmt::format("{}: several kernels, because {}", scheduled[i].nodes, programs[i].refusal));
    }
    if (apart.size() > before) continue;
    Program program =
        assemble_program(compilation.graph, compilation.storage, scheduled, programs, options.precision);
    if (options.optimizations.memory_plan) share_memory(program, memory_limits(options.device));
    return program;
  }
}

std::string emit_stage(DefinitionGraph graph, const CompileOptions& options, const std::string& stage,
                       const std::string& filter) {
  const Compilation compilation(simple(std::move(graph), options), options, {});
  const TensorFuncs funcs(compilation.graph);
  std::string text;
  for (const Group& group : compilation.groups) {
    ScheduledGroup scheduled = schedule_group(compilation.graph, funcs, group, compilation.storage, options);
    if (!matches(compilation.graph, scheduled.group, filter)) continue;
    text += describe_group(compilation.graph, scheduled, stage, options);
  }
  return text;
}

}  // namespace tensordsl
