#include "tune/autoschedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/count_flops.h"
#include "graph/describe_group.h"
#include "graph/group_key.h"
#include "graph/schedule_group.h"
#include "tune/explain_choice.h"
#include "tune/measure_candidates.h"

namespace tensordsl::tune {
namespace {

/// Groups that are computed alike.
struct Task {
  std::string key;                  // of their structure
  std::vector<std::size_t> places;  // in the plan
};

std::vector<Task> tasks_of(const CompiledGraph& compiled, const TensorFuncs& funcs, Precision precision) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < compiled.groups.size(); ++i) {
    if (!compiled.lowered[i].program) continue;  // the host computes it
    std::string key = group_key(prepared_group(compiled, funcs, i, precision, compiled.scheduled[i].target));
    const auto known = std::ranges::find(tasks, key, &Task::key);
    if (known != tasks.end()) {
      known->places.push_back(i);
    } else {
      tasks.push_back({std::move(key), {i}});
    }
  }
  return tasks;
}

GroupSource source_of(const CompiledGraph& compiled, const TensorFuncs& funcs, std::size_t place,
                      Precision precision) {
  const auto prepared = [&compiled, &funcs, place, precision] {
    return prepared_group(compiled, funcs, place, precision, compiled.scheduled[place].target);
  };
  return {prepared, [&compiled, place, prepared](const ChosenSchedule& schedule) {
            return scheduled_group(compiled, place, prepared(), compiled.scheduled[place].target, schedule,
                                   compiled.images);
          }};
}

std::string text_of(const ChosenSchedule& schedule) {
  return fmt::format("{}: {}", schedule.strategy->name, to_string(schedule.point));
}

/// The first without a look, then the best of each strategy, then the next best.
std::vector<const Candidate*> candidates_to_try(const Ranking& ranking, int tries) {
  std::vector<const Candidate*> chosen;
  const auto add = [&](const Candidate& candidate) {
    if (std::ranges::count(chosen, &candidate) == 0) chosen.push_back(&candidate);
  };
  for (const Candidate& candidate : ranking.candidates) {
    if (candidate.is_first) add(candidate);
  }
  std::set<std::string_view> strategies;
  const auto most = static_cast<std::size_t>(tries);
  for (const Candidate& candidate : ranking.candidates) {
    const bool is_new = strategies.insert(candidate.schedule.strategy->name).second;
    // A strategy that is out of question is not tried for being another one.
    constexpr double kHopeless = 3;
    if (chosen.size() < most && is_new && candidate.us <= kHopeless * ranking.candidates.front().us)
      add(candidate);
  }
  for (const Candidate& candidate : ranking.candidates) {
    if (chosen.size() < most) add(candidate);
  }
  if (chosen.size() > most) chosen.resize(most);
  return chosen;
}

std::int64_t bytes_of(const StoredTensor& stored) {
  std::int64_t elements = 1;
  for (const Expr& extent : stored.extents) {
    const std::int64_t* number = ir::as_int(extent);
    elements *= number ? *number : 64;
  }
  return elements * stored.type.bytes();
}

/// Bytes in a microsecond of the nearest memory that has room for so many: where tensors of that size are,
/// once they were used.
double bandwidth_for(std::int64_t bytes, const predict::DeviceFigures& device) {
  const auto has_room = [&](const predict::MemoryLevel& level) {
    return level.bytes * (level.is_shared ? 1 : device.units) >= static_cast<double>(bytes);
  };
  const auto level = std::ranges::find_if(device.buffers, has_room);
  return (level == device.buffers.end() ? device.buffers.back() : *level).bytes_per_clock *
         device.clocks_per_us;
}

/// Microseconds, of what has to be computed or moved at least.
double floor_of(const Group& group, std::int64_t flops, const predict::DeviceFigures& device) {
  const double of_clock =
      device.runs_in_step ? device.issues * device.warp * device.vector_lanes : 2.0 * device.vector_lanes;
  const double flops_of_us = 2 * of_clock * device.units * device.clocks_per_us;
  std::int64_t bytes = 0;
  for (const GroupOperand& operand : group.operands) bytes += bytes_of(operand.stored);
  for (const StoredTensor& stored : group.stored) bytes += bytes_of(stored);
  return std::max(static_cast<double>(flops) / flops_of_us,
                  static_cast<double>(bytes) / bandwidth_for(bytes, device));
}

RankingOptions ranking_options(const CompileOptions& compile, const Target& target,
                               const HwProfile& profile) {
  RankingOptions options;
  options.target = target;
  options.device = compile.device;
  options.profile = profile;
  options.threads = compile.threads;
  return options;
}

std::vector<std::shared_ptr<const Program>> programs_of(const GroupSource& source,
                                                        const std::vector<const Candidate*>& candidates,
                                                        const CompileOptions& compile) {
  std::vector<ScheduledGroup> groups;
  for (const Candidate* candidate : candidates) groups.push_back(source.scheduled(candidate->schedule));
  std::vector<std::shared_ptr<const Program>> programs;
  LoweringOptions lowering = compile;
  lowering.progress = nullptr;
  for (const LoweredGroup& lowered : lower_groups(groups, lowering)) programs.push_back(lowered.program);
  return programs;
}

/// Of the candidates, the one to take.
const Candidate* fastest(const std::vector<const Candidate*>& candidates,
                         const std::vector<Measured>& measured, AutoscheduledKernel& kernel) {
  const Candidate* best = nullptr;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!measured[i].us) {
      if (!measured[i].failure.empty())
        kernel.failures.push_back(
            fmt::format("{}: {}", text_of(candidates[i]->schedule), measured[i].failure));
      continue;
    }
    ++kernel.timed;
    if (candidates[i]->is_first) kernel.first_us = measured[i].us;
    if (best && *measured[i].us >= *kernel.us) continue;
    best = candidates[i];
    kernel.us = measured[i].us;
  }
  return best;
}

AutoscheduledKernel settle(const CompiledGraph& compiled, const Task& task, const GroupSource& source,
                           const CompileOptions& compile, const HwProfile& profile,
                           const AutoscheduleOptions& options, ScheduleChoices& choices) {
  const std::size_t place = task.places.front();
  const Ranking ranking =
      rank_candidates(source, ranking_options(compile, compiled.scheduled[place].target, profile));
  const Group group = source.prepared();
  AutoscheduledKernel kernel;
  kernel.operators = group.label;
  kernel.launches = static_cast<int>(task.places.size());
  if (ranking.candidates.empty()) {
    kernel.strategy = compiled.scheduled[place].schedule.strategy->name;
    return kernel;
  }
  const Candidate* chosen = &ranking.candidates.front();
  if (options.device && options.tries > 0) {
    const auto candidates = candidates_to_try(ranking, options.tries);
    const auto measured =
        measure_candidates(group, programs_of(source, candidates, compile), *options.device);
    if (const Candidate* best = fastest(candidates, measured, kernel)) chosen = best;
  }
  choices.insert_or_assign(task.key, chosen->schedule);
  kernel.strategy = chosen->schedule.strategy->name;
  kernel.point = to_string(chosen->schedule.point);
  kernel.predicted_us = chosen->us;
  const auto first = std::ranges::find_if(ranking.candidates, &Candidate::is_first);
  kernel.first_predicted_us = first == ranking.candidates.end() ? chosen->us : first->us;
  if (first != ranking.candidates.end() && !chosen->is_first) kernel.first = text_of(first->schedule);
  return kernel;
}

}  // namespace

Program autoschedule(DefinitionGraph graph, const CompileOptions& compile, const HwProfile& profile,
                     const AutoscheduleOptions& options, AutoscheduleReport& report) {
  CompileOptions looked = compile;
  const CompiledGraph compiled = compile_in_full(graph, looked);
  const TensorFuncs funcs(compiled.graph);
  const std::vector<Task> tasks = tasks_of(compiled, funcs, compile.precision);
  const predict::DeviceFigures device = predict::figures_of(profile);
  report.guessed = device.guessed;
  for (const Task& task : tasks) {
    const std::size_t place = task.places.front();
    const GroupSource source = source_of(compiled, funcs, place, compile.precision);
    AutoscheduledKernel kernel = settle(compiled, task, source, compile, profile, options, looked.schedules);
    const Program& program = *compiled.lowered[place].program;
    kernel.kernel = program.kernels.front().entry;
    // What was lowered has the schedule in its Funcs: a sum of slices is no product any more.
    kernel.flops = count_flops(source.prepared());
    kernel.floor_us = floor_of(compiled.scheduled[place].group, kernel.flops, device);
    report.kernels.push_back(std::move(kernel));
    if (options.progress)
      options.progress(report.kernels.back().kernel, static_cast<int>(report.kernels.size()),
                       static_cast<int>(tasks.size()));
  }
  return compile_graph(std::move(graph), looked);
}

std::string explain(DefinitionGraph graph, const CompileOptions& compile, const HwProfile& profile,
                    const std::string& filter) {
  const CompiledGraph compiled = compile_in_full(std::move(graph), compile);
  const TensorFuncs funcs(compiled.graph);
  std::string text;
  for (const Task& task : tasks_of(compiled, funcs, compile.precision)) {
    const auto place = std::ranges::find_if(task.places, [&](std::size_t p) {
      return matches(compiled.graph, compiled.scheduled[p].group, filter);
    });
    if (place == task.places.end()) continue;
    const GroupSource source = source_of(compiled, funcs, *place, compile.precision);
    const Group& group = compiled.scheduled[*place].group;
    text += fmt::format("// {} -> {}\n", group.label, compiled.graph.tensors[group.stored_tensors[0]].name);
    const Target& target = compiled.scheduled[*place].target;
    text += explain_choice(rank_candidates(source, ranking_options(compile, target, profile))) + "\n";
  }
  return text;
}

}  // namespace tensordsl::tune
