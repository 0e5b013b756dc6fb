#include "tune/autoschedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/count_flops.h"
#include "graph/describe_group.h"
#include "measure/device_measurer.h"
#include "measure/serve_worker.h"
#include "measure/worker_measurer.h"
#include "records/kernel_key.h"
#include "records/record_database.h"
#include "tensordsl/error.h"
#include "tune/eviction_program.h"
#include "tune/explain_choice.h"
#include "tune/roofline.h"
#include "tune/tuning_loop.h"
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

std::vector<std::unique_ptr<measure::Measurer>> measurers_of(const AutoscheduleOptions& options) {
  std::vector<std::unique_ptr<measure::Measurer>> measurers;
  for (const std::vector<std::string>& command : options.workers) {
    auto worker =
        std::make_unique<measure::WorkerMeasurer>(measure::WorkerOptions{command, options.worker_silence});
    measurers.push_back(std::move(worker));
  }
  if (measurers.empty() && options.device)
    measurers.push_back(std::make_unique<measure::DeviceMeasurer>(*options.device));
  return measurers;
}

bool has_limit(const AutoscheduleOptions& options) {
  return options.trials > 0 || options.trials_of_kernel > 0 || options.time;
}

/// Everything that is needed to try schedules; nothing of it where none is tried.
struct Bench {
  std::vector<std::unique_ptr<measure::Measurer>> measurers;
  records::DeviceKey device;
  std::optional<records::RecordDatabase> database;
  std::shared_ptr<const Program> between;

  Bench(const AutoscheduleOptions& options, const predict::DeviceFigures& figures,
        const std::optional<DeviceInfo>& info) {
    if (!has_limit(options)) return;
    measurers = measurers_of(options);
    if (measurers.empty()) return;
    device = key_of_measurers(options);
    between = eviction_program(figures, info);
    if (!options.database.empty()) database.emplace(options.database);
  }

 private:
  records::DeviceKey key_of_measurers(const AutoscheduleOptions& options) const {
    std::optional<records::DeviceKey> key;
    for (const auto& measurer : measurers) {
      const auto* worker = dynamic_cast<const measure::WorkerMeasurer*>(measurer.get());
      const records::DeviceKey one = worker ? worker->device() : measure::key_of(options.device->info());
      if (key && one != *key) {
        throw Error(
            fmt::format("autoschedule: the workers are to run on equal devices, and one runs on {} ({}), "
                        "another on {} ({})",
                        key->device, key->driver, one.device, one.driver));
      }
      key = one;
    }
    return *key;
  }
};

/// Of the same family first: they are what points are taken from, too. The fastest of each kernel come first.
std::vector<records::TuningRecord> others_of(const records::RecordDatabase& database,
                                             const records::KernelKey& kernel,
                                             const records::DeviceKey& device, std::int64_t most) {
  std::vector<records::TuningRecord> others = database.best_of_family(kernel.family, device);
  std::erase_if(others, [&](const auto& record) { return record.kernel.structure == kernel.structure; });
  std::ranges::stable_sort(others, {}, [&](const auto& record) { return distance(record.kernel, kernel); });
  for (records::TuningRecord& record : database.of_device(device, most)) {
    if (record.kernel.structure != kernel.structure) others.push_back(std::move(record));
  }
  return others;
}

std::unique_ptr<TaskSearch> search_of(const GroupSource& source, const std::string& key,
                                      const std::optional<ChosenSchedule>& tuned,
                                      const RankingOptions& ranking, const CompileOptions& compile,
                                      const AutoscheduleOptions& options, const Bench& bench) {
  TaskSearchOptions search;
  search.between = bench.between;
  search.tuned = tuned;
  search.ranking = ranking;
  search.lowering = compile;
  search.explorer = options.explorer;
  search.seed = options.seed;
  search.prunes = options.prunes;
  const records::KernelKey kernel = records::kernel_key(key);
  std::vector<records::TuningRecord> known, others;
  if (bench.database) {
    constexpr std::int64_t kMostOthers = 2000;
    known = bench.database->of(kernel.structure, bench.device);
    others = others_of(*bench.database, kernel, bench.device, kMostOthers);
  }
  return std::make_unique<TaskSearch>(source, search, kernel, bench.device, known, others);
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
  return kernel;
}

}  // namespace

Program autoschedule(DefinitionGraph graph, const CompileOptions& compile, const HwProfile& profile,
                     const AutoscheduleOptions& options, AutoscheduleReport& report) {
  const predict::DeviceFigures device = predict::figures_of(profile);
  Bench bench(options, device, compile.device);
  CompileOptions looked = compile;
  const CompiledGraph compiled = compile_in_full(graph, looked);
  const TensorFuncs funcs(compiled.graph);
  const std::vector<Task> tasks = tasks_of(compiled, funcs, compile.precision);
  report.guessed = device.guessed;
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
    one.search = search_of(source, task.key, known, ranking, compile, options, bench);
    one.launches = static_cast<double>(task.places.size());
    // What was lowered has the schedule in its Funcs: a sum of slices is no product any more.
    flops.push_back(count_flops(group));
    one.floor_us = floor_of(compiled.scheduled[place].group, flops.back(), device);
    tuned.push_back(std::move(one));
    if (options.progress && bench.measurers.empty()) {
      TuningProgress progress;
      progress.kernel = tuned.back().name;
      options.progress(progress);
    }
  }
  if (!bench.measurers.empty() && !tuned.empty()) {
    const TuningOutcome outcome =
        tune_tasks(tuned, bench.measurers, bench.database ? &*bench.database : nullptr, options);
    report.trials = outcome.trials;
    report.was_stopped = outcome.was_stopped;
    for (TunedTask& one : tuned) {
      if (!report.was_stopped) one.search->settle(*bench.measurers.front());
    }
  }
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
