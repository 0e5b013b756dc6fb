#include "graph/schedule/lower_groups.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "base/run_in_parallel.h"
#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/find_in_place.h"
#include "lower/lower.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {
namespace {

LoweredGroup lower_group(ScheduledGroup& scheduled, const LoweringOptions& options) {
  if (!scheduled.refusal.empty()) return {nullptr, scheduled.refusal};
  try {
    const Pipeline pipeline = pipeline_of(scheduled, options.disabled_passes);
    return {std::make_shared<const Program>(options.device ? pipeline.compile(*options.device)
                                                           : pipeline.compile()),
            {}};
  } catch (const ScheduleError& error) {
    return {nullptr, error.what()};
  } catch (const Error& error) {
    throw ModelError(fmt::format("{}: {}", scheduled.nodes, error.what()));
  }
}

}  // namespace

Pipeline pipeline_of(ScheduledGroup& scheduled, const std::set<std::string>& disabled_passes) {
  apply_schedule(scheduled.group, scheduled.schedule, scheduled.target);
  Pipeline pipeline(scheduled.group.outputs);
  pipeline.keep_loops(scheduled.target.loop_registers, scheduled.target.gathers_reads);
  if (scheduled.overwritten && stores_each_once(scheduled.group))
    pipeline.allow_overwriting(scheduled.group.operands[*scheduled.overwritten].input.name());
  for (const std::string& pass : disabled_passes) pipeline.disable_pass(pass);
  return pipeline;
}

std::vector<LoweredGroup> lower_groups(std::vector<ScheduledGroup>& groups, const LoweringOptions& options) {
  lower::check_optional_passes(options.disabled_passes);
  std::map<std::string, std::size_t> by_key;
  std::vector<std::size_t> distinct, place;  // the first group of each key; of each group, its key's
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto [it, is_new] = by_key.try_emplace(groups[i].identity(), distinct.size());
    if (is_new) distinct.push_back(i);
    place.push_back(it->second);
  }
  std::vector<LoweredGroup> lowered(distinct.size());
  run_in_parallel(
      static_cast<int>(distinct.size()),
      [&](int job) {
        const auto i = static_cast<std::size_t>(job);
        lowered[i] = lower_group(groups[distinct[i]], options);
      },
      options.progress, options.threads);
  std::vector<LoweredGroup> results;
  for (const std::size_t p : place) results.push_back(lowered[p]);
  return results;
}

void lower_groups(Graph& graph, const GraphContext& context) {
  graph.lowered = lower_groups(graph.scheduled, context.options);
}

}  // namespace tensordsl::graph
