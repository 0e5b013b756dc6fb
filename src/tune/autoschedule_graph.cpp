#include "tune/autoschedule_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "graph/schedule/choose_schedules.h"
#include "tensordsl/schedule.h"
#include "tune/graph_choices.h"
#include "tune/model_variant.h"
#include "tune/rank/evaluate_schedule.h"
#include "tune/rank/roofline.h"
#include "tune/trial/tuning_bench.h"

namespace tensordsl::tune {
namespace {

std::vector<TriedSchedule> tried_of(const TaskSearch& search) {
  std::vector<TriedSchedule> tried;
  for (const search::Trial& trial : search.trials()) {
    tried.push_back({std::string(trial.schedule.strategy->name), to_string(trial.schedule.point),
                     trial.measured.us, trial.predicted.us});
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

std::string cpp_of(const GroupSource& source, const graph::GroupSchedule& schedule) {
  graph::ScheduledGroup scheduled = source.scheduled(schedule);
  graph::apply_schedule(scheduled.group, scheduled.schedule, scheduled.target);
  return Schedule::of(scheduled.group.outputs).to_cpp("schedule");
}

/// Reports a kernel with the schedule that it was compiled with.
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

/// Reports a kernel that was not searched, as an interrupt came first, with the prediction of its schedule.
AutoscheduledKernel predicted_report(const ModelKernel& kernel, const predict::DeviceFigures& device) {
  AutoscheduledKernel report = report_of(kernel);
  const auto scheduled = [&](const graph::GroupSchedule& schedule) {
    return kernel.source.scheduled(schedule);
  };
  report.point = to_string(kernel.compiled.point);
  report.predicted_us = evaluate_schedule(scheduled, kernel.compiled, kernel.ranking, device).us;
  report.first_predicted_us = report.predicted_us;
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

/// Distinct kernels of one or several variants, with their searches.
class Tasks {
 public:
  Tasks(const TuningBench& bench, const graph::CompileOptions& options) : bench_(bench), options_(options) {}

  /// `is_alternative`: its kernels replace others, and are tuned after these.
  void add(const ModelVariant& variant, bool is_alternative) {
    for (const ModelKernel& kernel : variant.kernels()) {
      if (!place_of_.try_emplace(kernel.task.key.structure, tasks_.size()).second) continue;
      const auto make = [this, &kernel] {
        return bench_.search(kernel.source, kernel.task.key, kernel.tuned, kernel.ranking, options_);
      };
      tasks_.push_back({kernel.name, make, kernel.launches(), kernel.floor_us, is_alternative});
    }
  }

  std::vector<TunedTask>& all() { return tasks_; }

  /// Returns the search of a kernel; null if its turn has not come, or if the device's model leaves all of
  /// its schedules out.
  TaskSearch* search(const std::string& key) const {
    const auto place = place_of_.find(key);
    TaskSearch* search = place == place_of_.end() ? nullptr : tasks_[place->second].search.get();
    return search && !search->ranking().candidates.empty() ? search : nullptr;
  }

  std::optional<double> us_of(const std::string& key) const {
    const TaskSearch* found = search(key);
    return found ? found->best_us() : std::nullopt;
  }

 private:
  const TuningBench& bench_;
  const graph::CompileOptions& options_;
  std::vector<TunedTask> tasks_;
  std::map<std::string, std::size_t> place_of_;  // by key
};

/// Compiles the graph with every optional fusion left out; null if there is none, or nothing is measured.
std::unique_ptr<ModelVariant> apart_variant(const ModelVariant& whole,
                                            const definitions::DefinitionGraph& graph,
                                            graph::CompileOptions compile, const HwProfile& profile,
                                            const TuningBench& bench) {
  if (!bench.can_measure() || !has_alternatives(whole)) return nullptr;
  compile.better_apart = [](const std::string&) { return true; };
  return std::make_unique<ModelVariant>(graph, compile, profile);
}

/// The keys of all groups that came up while a graph was compiled, also of those that a device refused.
class SeenKeys {
 public:
  void insert(const std::string& key) {
    const std::lock_guard lock(mutex_);
    keys_.insert(key);
  }
  bool contains(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    return keys_.contains(key);
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> keys_;
};

/// Returns the options with the schedules that trials have found. `seen`: of the first variant.
graph::CompileOptions with_choices(graph::CompileOptions compile, const Tasks& tasks,
                                   const std::vector<const ModelVariant*>& variants,
                                   const std::vector<GraphChoice>& choices,
                                   const std::shared_ptr<const SeenKeys>& seen) {
  for (const ModelVariant* variant : variants) {
    for (const ModelKernel& kernel : variant->kernels()) {
      if (const TaskSearch* search = tasks.search(kernel.task.key.structure))
        compile.schedules.insert_or_assign(kernel.task.key.structure, search->best());
    }
  }
  if (choices.empty()) return compile;
  std::map<std::string, bool> is_apart;
  for (const GraphChoice& choice : choices) is_apart.emplace(choice.key.structure, choice.is_apart());
  // A group that appears only where others are unfused stays unfused too, as it was when those were timed.
  compile.better_apart = [is_apart, seen, before = compile.better_apart](const std::string& key) {
    if (const auto choice = is_apart.find(key); choice != is_apart.end()) return choice->second;
    return !seen->contains(key) || (before && before(key));
  };
  return compile;
}

}  // namespace

Program autoschedule(definitions::DefinitionGraph graph, const graph::CompileOptions& compile,
                     const HwProfile& profile, const AutoscheduleOptions& options,
                     AutoscheduleReport& report) {
  const predict::DeviceFigures device = predict::figures_of(profile);
  TuningBench bench(options, device, compile.device);
  // Groups that are measured are measured both ways, whatever was found before.
  graph::CompileOptions estimated = compile;
  const auto seen = std::make_shared<SeenKeys>();
  if (bench.can_measure()) {
    estimated.better_apart = [seen](const std::string& key) {
      seen->insert(key);
      return false;
    };
  }
  const ModelVariant whole(graph, estimated, profile);
  const std::unique_ptr<ModelVariant> apart = apart_variant(whole, graph, compile, profile, bench);
  Tasks tasks(bench, compile);
  tasks.add(whole, false);
  if (apart) tasks.add(*apart, true);
  TuningOutcome outcome = bench.tune(tasks.all());
  std::vector<const ModelVariant*> variants{&whole};
  std::vector<GraphChoice> choices;
  if (apart) {
    variants.push_back(apart.get());
    choices = graph_choices(whole, *apart, device.launch_us,
                            [&](const std::string& key) { return tasks.us_of(key); });
    if (outcome.problem.empty()) outcome.problem = bench.keep(choices);
  }
  report.guessed = device.guessed;
  report.peak_gflops = peak_flops_of_us(device) * 1e-3;
  report.memory_gbs = device.buffers.back().bytes_per_clock * device.clocks_per_us * 1e-3;
  report.trials = outcome.trials;
  report.was_stopped = outcome.was_stopped;
  report.problem = outcome.problem;
  for (const GraphChoice& choice : choices)
    report.choices.push_back({choice.operators, choice.whole_us, choice.apart_us, choice.is_apart()});
  const graph::CompileOptions chosen = with_choices(compile, tasks, variants, choices, seen);
  const ModelVariant result(graph, chosen, profile);
  for (const ModelKernel& kernel : result.kernels()) {
    TaskSearch* search = tasks.search(kernel.task.key.structure);
    report.kernels.push_back(search ? report_of(kernel, *search) : predicted_report(kernel, device));
  }
  return result.compiled().program;
}

}  // namespace tensordsl::tune
