// The search for the fastest schedule of one kernel.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/schedule/lower_groups.h"
#include "measure/measurer.h"
#include "records/tuning_record.h"
#include "search/explorer.h"
#include "tune/rank/rank_candidates.h"
#include "tune/trial/schedule_evaluator.h"

namespace tensordsl::tune {

struct TaskSearchOptions {
  RankingOptions ranking;
  graph::LoweringOptions lowering;
  std::string explorer;  ///< search/make_explorer.h; empty: the default one
  std::uint64_t seed = 1;
  /// Schedules that break a criterion, or that the model takes for hopeless, are not tried, and those that it
  /// takes for the best come first. False: the explorer begins with random schedules.
  bool prunes = true;
  std::shared_ptr<const Program> between = nullptr;  ///< measure::Request::between
  /// The schedule that compiling takes because of trials that were made elsewhere.
  std::optional<graph::GroupSchedule> tuned{};
};

/// Called during a step of a search, on its own thread.
struct StepHooks {
  /// Returns true to end the step as soon as possible; the step then returns its results so far.
  std::function<bool()> should_stop{};
  /// A schedule has failed. The others of its batch are still at work: who ends the process now is to know
  /// it.
  std::function<void(const records::TuningRecord&)> failed{};
};

/// Trials of one kernel, a batch at a time. Every batch is timed together with the fastest that is known: by
/// how much that has become slower or faster since, the times of the others are corrected.
class TaskSearch {
 public:
  /// `known`: records of this kernel on this device, of calls before; they are not tried again. `others`: of
  /// other kernels there, to begin with and to learn from.
  TaskSearch(GroupSource source, TaskSearchOptions options, records::KernelKey kernel,
             records::DeviceKey device, const std::vector<records::TuningRecord>& known,
             const std::vector<records::TuningRecord>& others);
  TaskSearch(const TaskSearch&) = delete;
  TaskSearch& operator=(const TaskSearch&) = delete;

  /// Tries up to `most` more schedules, and returns their records. Empty: there are no more, or the device
  /// computes wrong results with every schedule (suspicion()).
  std::vector<records::TuningRecord> step(measure::Measurer& measurer, std::size_t most,
                                          const StepHooks& hooks = {});
  /// Times the fastest few and the first once more, together. These times replace those of the trials; the
  /// times of the others are corrected by how much the device has become slower since. Returns the records of
  /// all timed trials, with these times, and of those that failed now.
  std::vector<records::TuningRecord> settle(measure::Measurer& measurer, const StepHooks& hooks = {});

  /// Times schedules against each other, which does not count as a trial.
  std::vector<measure::Measured> measured(measure::Measurer& measurer,
                                          const std::vector<graph::GroupSchedule>& schedules,
                                          const StepHooks& hooks = {});

  const Ranking& ranking() const { return ranking_; }
  const ScheduleEvaluator& evaluator() const { return evaluator_; }

  /// Returns the fastest schedule; before a trial, the tuned one, or the choice of the device's model.
  const graph::GroupSchedule& best() const { return best_ ? trials_[*best_].schedule : likeliest_schedule_; }
  std::optional<double> best_us() const { return us_at(best_); }
  /// The schedule that compiling takes without a trial of its own.
  const graph::GroupSchedule& first() const { return first_schedule_; }
  std::optional<double> first_us() const { return us_at(first_); }
  double predicted_us(const graph::GroupSchedule& schedule) { return evaluation_of(schedule).us; }

  /// Returns the trials, each with its prediction if there is one.
  const std::vector<search::Trial>& trials() const { return trials_; }
  /// Counts the trials of this object, without those that were known.
  std::int64_t new_trials() const { return new_trials_; }
  const std::vector<std::string>& failures() const { return failures_; }
  /// Describes a fault of the device, or of the definitions; empty if there is none.
  const std::string& suspicion() const { return suspicion_; }

 private:
  void take_known(const std::vector<records::TuningRecord>& known);
  void take_likely(const std::vector<records::TuningRecord>& others);
  std::vector<graph::GroupSchedule> beginning(std::size_t most) const;
  std::vector<graph::LoweredGroup> lowered_groups(const std::vector<graph::GroupSchedule>& schedules) const;
  void confirm(measure::Measurer& measurer, const std::vector<graph::GroupSchedule>& batch,
               std::vector<measure::Measured>& results, const StepHooks& hooks);
  /// Returns the evaluation of a schedule, or null if it was not evaluated.
  const search::Evaluation* known_evaluation(const graph::GroupSchedule& schedule) const;
  const search::Evaluation& evaluation_of(const graph::GroupSchedule& schedule);
  void add_trial(search::Trial trial);
  /// Adds the result of a schedule as a trial. Returns its record.
  records::TuningRecord add_measured(const graph::GroupSchedule& schedule, const measure::Measured& result);
  records::TuningRecord record_of_trial(const search::Trial& trial) const;
  std::optional<std::size_t> place_of(const graph::GroupSchedule& schedule) const;
  std::optional<double> us_at(const std::optional<std::size_t>& place) const {
    return place ? trials_[*place].measured.us : std::nullopt;
  }
  double drift_since(const std::vector<graph::GroupSchedule>& schedules,
                     const std::vector<measure::Measured>& results) const;
  void choose_best();

  GroupSource source_;
  TaskSearchOptions options_;
  records::KernelKey kernel_;
  records::DeviceKey device_;
  definitions::StoredGroup group_;
  Ranking ranking_;
  search::SearchSpace space_;
  ScheduleEvaluator evaluator_;
  std::vector<graph::GroupSchedule> likely_;  // to begin with, the best first
  std::vector<search::Trial> trials_;
  std::map<std::string, std::size_t> trial_of_;  // text -> index in trials_
  std::optional<measure::ExpectedOutputs> expected_;
  graph::GroupSchedule first_schedule_, likeliest_schedule_;  // that are taken without a trial
  std::optional<std::size_t> first_, best_;                   // in trials_: the first, the fastest
  std::int64_t new_trials_ = 0;
  std::vector<std::string> failures_;
  std::string suspicion_;
  search::SearchView view_;
  std::unique_ptr<search::Explorer> explorer_;
};

}  // namespace tensordsl::tune
