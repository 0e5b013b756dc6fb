#include "graph/compile_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/run_in_parallel.h"
#include "graph/assemble_program.h"
#include "graph/choose_host.h"
#include "graph/choose_layouts.h"
#include "graph/choose_schedules.h"
#include "graph/describe_group.h"
#include "graph/eliminate_movement.h"
#include "graph/fuse.h"
#include "graph/group_key.h"
#include "graph/merge_dimensions.h"
#include "graph/plan_storage.h"
#include "graph/simplify_graph.h"

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
  for (const std::size_t tensor : fused.tensors) nodes.push_back(to_string(graph.tensors[tensor].origin));
  return {std::move(group), schedule, std::move(key), {}, fmt::format("{}", fmt::join(nodes, ", "))};
}

}  // namespace

Program compile_graph(DefinitionGraph graph, const CompileOptions& options) {
  graph = eliminate_movement(simplify_graph(std::move(graph)), options.on_host);
  const std::vector<std::string> on_host = choose_host(graph, options);
  std::vector<Group> groups = fuse(graph, on_host);
  const TensorStorage storage = plan_storage(graph, groups);
  const TensorFuncs funcs(graph);
  std::vector<ScheduledGroup> scheduled(groups.size());
  run_in_parallel(
      static_cast<int>(groups.size()),
      [&](int job) {
        const auto i = static_cast<std::size_t>(job);
        scheduled[i] = schedule_group(graph, funcs, groups[i], storage, options);
        scheduled[i].refusal = on_host[groups[i].tensors[0]];
      },
      nullptr, options.threads);
  const auto programs = lower_groups(scheduled, options);
  return assemble_program(graph, storage, scheduled, programs, options.precision);
}

std::string emit_stage(DefinitionGraph graph, const CompileOptions& options, const std::string& stage,
                       const std::string& filter) {
  graph = eliminate_movement(simplify_graph(std::move(graph)), options.on_host);
  const std::vector<std::string> on_host = choose_host(graph, options);
  std::vector<Group> groups = fuse(graph, on_host);
  const TensorStorage storage = plan_storage(graph, groups);
  const TensorFuncs funcs(graph);
  std::string text;
  for (const Group& group : groups) {
    ScheduledGroup scheduled = schedule_group(graph, funcs, group, storage, options);
    if (!matches(graph, scheduled.group, filter)) continue;
    text += describe_group(graph, scheduled, stage, options);
  }
  return text;
}

}  // namespace tensordsl
