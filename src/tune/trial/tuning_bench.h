// Everything that it takes to try schedules: who measures, where records are kept.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "records/record_database.h"
#include "tensordsl/autoschedule.h"
#include "tune/graph_choices.h"
#include "tune/trial/tuning_loop.h"

namespace tensordsl::tune {

class TuningBench {
 public:
  /// Starts the workers and opens the database, if trials are requested. Throws Error if a worker or the
  /// database is not available. `options` must outlive it.
  TuningBench(const AutoscheduleOptions& options, const predict::DeviceFigures& figures,
              const std::optional<DeviceInfo>& device);

  bool can_measure() const { return !measurers_.empty(); }

  /// `kernel`: graph/schedule/group_key.h. `tuned`: what compiling takes because of trials elsewhere. May be
  /// called by several threads.
  std::unique_ptr<TaskSearch> search(const GroupSource& source, const records::KernelKey& kernel,
                                     const std::optional<graph::GroupSchedule>& tuned,
                                     const RankingOptions& ranking,
                                     const graph::LoweringOptions& lowering) const;

  /// tune_tasks(), and at the end each task's fastest few once more. Without a measurer the tasks' schedules
  /// are evaluated by the cost model, and none is tried. A task that is stopped before its turn has no
  /// search. A database that takes no more records ends the trials: TuningOutcome::problem.
  TuningOutcome tune(std::vector<TunedTask>& tasks);

  /// Writes them into the database, so that compiling knows them. Returns why it did not take them; empty: it
  /// did.
  std::string keep(const std::vector<GraphChoice>& choices);

 private:
  records::DeviceKey key_of_measurers() const;
  TuningOutcome evaluate(std::vector<TunedTask>& tasks) const;
  /// Returns why the database did not take them; empty: it did.
  std::string add(const std::vector<records::TuningRecord>& records);

  const AutoscheduleOptions& options_;
  std::vector<std::unique_ptr<measure::Measurer>> measurers_;
  records::DeviceKey device_;
  mutable std::mutex database_lock_;
  std::optional<records::RecordDatabase> database_;
  std::shared_ptr<const Program> between_;
};

}  // namespace tensordsl::tune
