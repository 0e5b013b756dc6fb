#include "tune/autoschedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/count_flops.h"
#include "graph/describe_group.h"
#include "tensordsl/schedule.h"
#include "tune/explain_choice.h"
#include "tune/roofline.h"
#include "tune/tuning_bench.h"
#include "tune/tuning_tasks.h"

namespace tensordsl::tune {
namespace {

RankingOptions ranking_options(const CompileOptions& compile, const Target& target,
                               const HwProfile& profile) {
  RankingOptions options;
  options.target = target;
  options.device = compile.device;
  options.profile = profile;
  options.threads = compile.threads;
  return options;
}

std::vector<TriedSchedule> tried_of(const TaskSearch& search) {
  std::vector<TriedSchedule> tried;
  for (const search::Trial& trial : search.trials()) {
    tried.push_back({std::string(trial.schedule.strategy->name), to_string(trial.schedule.point), trial.us,
                     search.known_prediction(trial.schedule).value_or(0)});
  }
  return tried;
}

std::vector<ExploredStrategy> explored_of(const Ranking& ranking) {
  std::vector<ExploredStrategy> all;
  for (const StrategySpace& space : ranking.spaces) {
    ExploredStrategy one{space.strategy, space.points, space.unfit, space.refused, {}};
    for (const predict::Criterion criterion : predict::kCriteria) {
      const auto place = static_cast<std::size_t>(criterion);
      one.left_out.emplace_back(predict::name_of(criterion),
                                space.on_points.left_out[place] + space.on_kernels.left_out[place]);
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::string cpp_of(const GroupSource& source, const ChosenSchedule& schedule) {
  ScheduledGroup scheduled = source.scheduled(schedule);
  apply_schedule(scheduled.group, scheduled.schedule, scheduled.target);
  return Schedule::of(scheduled.group.outputs).to_cpp("schedule");
}

AutoscheduledKernel report_of(TunedTask& task, const Group& group) {
  TaskSearch& search = *task.search;
  AutoscheduledKernel kernel;
  kernel.operators = group.label;
  kernel.kernel = task.name;
  kernel.launches = static_cast<int>(task.launches);
  kernel.strategy = search.best().strategy->name;
  kernel.point = to_string(search.best().point);
  kernel.predicted_us = search.predicted_us(search.best());
  kernel.first_predicted_us = search.predicted_us(search.first());
  if (search::text_of(search.best()) != search::text_of(search.first()))
    kernel.first = search::text_of(search.first());
  kernel.us = search.best_us();
  kernel.first_us = search.first_us();
  kernel.floor_us = task.floor_us;
  kernel.timed = static_cast<int>(search.new_trials());
  kernel.known = static_cast<int>(search.trials().size()) - kernel.timed;
  kernel.failures = search.failures();
  kernel.suspicion = search.suspicion();
  kernel.bytes = bytes_of(group);
  kernel.tried = tried_of(search);
  kernel.explored = explored_of(search.ranking());
  return kernel;
}

}  // namespace

Program autoschedule(DefinitionGraph graph, const CompileOptions& compile, const HwProfile& profile,
                     const AutoscheduleOptions& options, AutoscheduleReport& report) {
  const predict::DeviceFigures device = predict::figures_of(profile);
  TuningBench bench(options, device, compile.device);
  CompileOptions looked = compile;
  const CompiledGraph compiled = compile_in_full(graph, looked);
  const TensorFuncs funcs(compiled.graph);
  const std::vector<Task> tasks = tasks_of(compiled, funcs, compile.precision);
  report.guessed = device.guessed;
  report.peak_gflops = peak_flops_of_us(device) * 1e-3;
  report.memory_gbs = device.buffers.back().bytes_per_clock * device.clocks_per_us * 1e-3;
  std::vector<TunedTask> tuned;
  std::vector<std::int64_t> flops;
  for (const Task& task : tasks) {
    const std::size_t place = task.places.front();
    const GroupSource source = source_of(compiled, funcs, place, compile.precision);
    const RankingOptions ranking = ranking_options(compile, compiled.scheduled[place].target, profile);
    TunedTask one;
    one.name = compiled.lowered[place].program->kernels.front().entry;
    const Group group = source.prepared();
    std::optional<ChosenSchedule> known;
    const ScheduledGroup& scheduled = compiled.scheduled[place];
    const ChosenSchedule first = choose_schedule(group, scheduled.target);
    if (compile.known_schedule && search::text_of(scheduled.schedule) != search::text_of(first))
      known = scheduled.schedule;
    one.search = bench.search(source, task.key, known, ranking, compile);
    one.launches = static_cast<double>(task.places.size());
    // What was lowered has the schedule in its Funcs: a sum of slices is no product any more.
    flops.push_back(count_flops(group));
    one.floor_us = floor_of(compiled.scheduled[place].group, flops.back(), device);
    tuned.push_back(std::move(one));
    if (options.progress && !bench.can_measure()) {
      TuningProgress progress;
      progress.kernel = tuned.back().name;
      options.progress(progress);
    }
  }
  const TuningOutcome outcome = bench.tune(tuned);
  report.trials = outcome.trials;
  report.was_stopped = outcome.was_stopped;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const std::size_t place = tasks[t].places.front();
    if (tuned[t].search->ranking().candidates.empty()) {
      AutoscheduledKernel kernel;
      kernel.operators = compiled.scheduled[place].group.label;
      kernel.kernel = tuned[t].name;
      kernel.launches = static_cast<int>(tasks[t].places.size());
      kernel.strategy = compiled.scheduled[place].schedule.strategy->name;
      report.kernels.push_back(std::move(kernel));
    } else {
      looked.schedules.insert_or_assign(tasks[t].key, tuned[t].search->best());
      report.kernels.push_back(report_of(tuned[t], compiled.scheduled[place].group));
      report.kernels.back().cpp =
          cpp_of(source_of(compiled, funcs, place, compile.precision), tuned[t].search->best());
    }
    report.kernels.back().flops = flops[t];
    report.kernels.back().floor_us = tuned[t].floor_us;
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
