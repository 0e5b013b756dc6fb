#include "tune/autoschedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/describe_group.h"
#include "tensordsl/schedule.h"
#include "tune/explain_choice.h"
#include "tune/model_kernels.h"
#include "tune/roofline.h"
#include "tune/tuning_bench.h"

namespace tensordsl::tune {
namespace {

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

AutoscheduledKernel report_of(const ModelKernel& kernel) {
  AutoscheduledKernel report;
  report.operators = kernel.operators;
  report.kernel = kernel.name;
  report.launches = static_cast<int>(kernel.launches());
  report.strategy = kernel.compiled.strategy->name;
  report.flops = kernel.flops;
  report.floor_us = kernel.floor_us;
  return report;
}

/// Needs: schedules that the model of the device does not leave out.
AutoscheduledKernel report_of(const ModelKernel& kernel, TaskSearch& search) {
  AutoscheduledKernel report = report_of(kernel);
  report.strategy = search.best().strategy->name;
  report.point = to_string(search.best().point);
  report.predicted_us = search.predicted_us(search.best());
  report.first_predicted_us = search.predicted_us(search.first());
  if (search::text_of(search.best()) != search::text_of(search.first()))
    report.first = search::text_of(search.first());
  report.us = search.best_us();
  report.first_us = search.first_us();
  report.timed = static_cast<int>(search.new_trials());
  report.known = static_cast<int>(search.trials().size()) - report.timed;
  report.failures = search.failures();
  report.suspicion = search.suspicion();
  report.bytes = kernel.bytes;
  report.tried = tried_of(search);
  report.explored = explored_of(search.ranking());
  report.cpp = cpp_of(kernel.source, search.best());
  return report;
}

}  // namespace

Program autoschedule(DefinitionGraph graph, const CompileOptions& compile, const HwProfile& profile,
                     const AutoscheduleOptions& options, AutoscheduleReport& report) {
  const predict::DeviceFigures device = predict::figures_of(profile);
  TuningBench bench(options, device, compile.device);
  CompileOptions looked = compile;
  const CompiledGraph compiled = compile_in_full(graph, looked);
  const TensorFuncs funcs(compiled.graph);
  const std::vector<ModelKernel> kernels = model_kernels(compiled, funcs, compile, profile);
  std::vector<TunedTask> tasks;
  for (const ModelKernel& kernel : kernels) {
    const auto make = [&bench, &compile, &kernel] {
      return bench.search(kernel.source, kernel.task.key, kernel.tuned, kernel.ranking, compile);
    };
    tasks.push_back({kernel.name, make, kernel.launches(), kernel.floor_us});
  }
  const TuningOutcome outcome = bench.tune(tasks);
  report.guessed = device.guessed;
  report.peak_gflops = peak_flops_of_us(device) * 1e-3;
  report.memory_gbs = device.buffers.back().bytes_per_clock * device.clocks_per_us * 1e-3;
  report.trials = outcome.trials;
  report.was_stopped = outcome.was_stopped;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    TaskSearch* search = tasks[i].search.get();
    if (!search || search->ranking().candidates.empty()) {
      report.kernels.push_back(report_of(kernels[i]));
    } else {
      looked.schedules.insert_or_assign(kernels[i].task.key, search->best());
      report.kernels.push_back(report_of(kernels[i], *search));
    }
  }
  return compile_graph(std::move(graph), looked);
}

std::string explain(DefinitionGraph graph, const CompileOptions& compile, const HwProfile& profile,
                    const std::string& filter) {
  const CompiledGraph compiled = compile_in_full(std::move(graph), compile);
  const TensorFuncs funcs(compiled.graph);
  std::string text;
  for (const ModelKernel& kernel : model_kernels(compiled, funcs, compile, profile)) {
    const auto place = std::ranges::find_if(kernel.task.places, [&](std::size_t p) {
      return matches(compiled.graph, compiled.scheduled[p].group, filter);
    });
    if (place == kernel.task.places.end()) continue;
    const Group& group = compiled.scheduled[*place].group;
    text += fmt::format("// {} -> {}\n", group.label, compiled.graph.tensors[group.stored_tensors[0]].name);
    text += explain_choice(rank_candidates(kernel.source, kernel.ranking)) + "\n";
  }
  return text;
}

}  // namespace tensordsl::tune
