#include "tune/trial/tuning_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "measure/device_measurer.h"
#include "measure/serve_worker.h"
#include "measure/worker_measurer.h"
#include "records/kernel_key.h"
#include "tensordsl/error.h"
#include "tune/trial/eviction_program.h"

namespace tensordsl::tune {
namespace {

std::vector<std::unique_ptr<measure::Measurer>> measurers_of(const AutoscheduleOptions& options) {
  std::vector<std::unique_ptr<measure::Measurer>> measurers;
  for (const std::vector<std::string>& command : options.workers) {
    measurers.push_back(
        std::make_unique<measure::WorkerMeasurer>(measure::WorkerOptions{command, options.worker_silence}));
  }
  if (measurers.empty() && options.device)
    measurers.push_back(std::make_unique<measure::DeviceMeasurer>(*options.device));
  return measurers;
}

bool has_limit(const AutoscheduleOptions& options) {
  return options.trials > 0 || options.trials_of_kernel > 0 || options.time;
}

/// Lists records of the same family first, as configurations are taken from them too, the fastest of each
/// kernel before others.
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

}  // namespace

TuningBench::TuningBench(const AutoscheduleOptions& options, const predict::DeviceFigures& figures,
                         const std::optional<DeviceInfo>& device)
    : options_(options) {
  if (!has_limit(options)) return;
  measurers_ = measurers_of(options);
  if (measurers_.empty()) return;
  device_ = key_of_measurers();
  between_ = eviction_program(figures, device);
  if (!options.database.empty()) database_.emplace(options.database);
}

records::DeviceKey TuningBench::key_of_measurers() const {
  std::optional<records::DeviceKey> key;
  for (const auto& measurer : measurers_) {
    const auto* worker = dynamic_cast<const measure::WorkerMeasurer*>(measurer.get());
    const records::DeviceKey one = worker ? worker->device() : measure::key_of(options_.device->info());
    if (key && one != *key) {
      throw Error(
          fmt::format("autoschedule: all workers must run on the same kind of device, but one runs on {} "
                      "({}), another on {} ({})",
                      key->device, key->driver, one.device, one.driver));
    }
    key = one;
  }
  return *key;
}

std::unique_ptr<TaskSearch> TuningBench::search(const GroupSource& source, const records::KernelKey& kernel,
                                                const std::optional<graph::GroupSchedule>& tuned,
                                                const RankingOptions& ranking,
                                                const graph::LoweringOptions& lowering) const {
  TaskSearchOptions search;
  search.between = between_;
  search.tuned = tuned;
  search.ranking = ranking;
  search.lowering = lowering;
  search.explorer = options_.explorer;
  search.seed = options_.seed;
  search.prunes = options_.prunes;
  std::vector<records::TuningRecord> known, others;
  if (database_) {
    const std::lock_guard lock(database_lock_);
    constexpr std::int64_t kMostOthers = 2000;
    known = database_->of(kernel.structure, device_);
    others = others_of(*database_, kernel, device_, kMostOthers);
  }
  return std::make_unique<TaskSearch>(source, search, kernel, device_, known, others);
}

TuningOutcome TuningBench::evaluate(std::vector<TunedTask>& tasks) const {
  TuningOutcome outcome;
  for (TunedTask& task : tasks) {
    // A kernel that would replace another one is not taken if it was not timed.
    if (task.search || task.is_alternative) continue;
    outcome.was_stopped = options_.should_stop && options_.should_stop();
    if (outcome.was_stopped) break;
    task.search = task.make();
    if (!options_.progress || can_measure()) continue;
    TuningProgress progress;
    progress.kernel = task.name;
    options_.progress(progress);
  }
  return outcome;
}

TuningOutcome TuningBench::tune(std::vector<TunedTask>& tasks) {
  if (measurers_.empty() || tasks.empty()) return evaluate(tasks);
  const auto keep = [&](const std::vector<records::TuningRecord>& records) {
    const std::lock_guard lock(database_lock_);
    if (database_) database_->add(records);
  };
  TuningOutcome outcome = tune_tasks(tasks, measurers_, keep, options_);
  StepHooks hooks;
  hooks.should_stop = [&] {
    outcome.was_stopped = outcome.was_stopped || (options_.should_stop && options_.should_stop());
    return outcome.was_stopped;
  };
  for (TunedTask& task : tasks) {
    if (hooks.should_stop()) break;
    if (!task.search) continue;
    const std::vector<records::TuningRecord> settled = task.search->settle(*measurers_.front(), hooks);
    if (outcome.problem.empty()) outcome.problem = add(settled);
  }
  if (!outcome.was_stopped) outcome.was_stopped = evaluate(tasks).was_stopped;
  return outcome;
}

std::string TuningBench::add(const std::vector<records::TuningRecord>& records) {
  if (!database_) return "";
  try {
    const std::lock_guard lock(database_lock_);
    database_->add(records);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string TuningBench::keep(const std::vector<GraphChoice>& choices) {
  if (!database_) return "";
  std::vector<records::TuningRecord> records;
  for (const GraphChoice& choice : choices) {
    records::TuningRecord record;
    record.kernel = choice.key;
    record.device = device_;
    record.operators = choice.operators;
    record.strategy = records::kApart;
    record.us = choice.apart_us;
    // Both were timed again in the end; the database's times of the kernel are of another time.
    if (const auto known = database_->best(record.kernel.structure, device_))
      record.us = choice.apart_us / choice.whole_us * *known->us;
    records.push_back(std::move(record));
  }
  return add(records);
}

}  // namespace tensordsl::tune
