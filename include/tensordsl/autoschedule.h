// Choice of the schedules of a whole model: by a model of the device, and by trials.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl {

/// Progress of the trials of a model.
struct TuningProgress {
  std::string kernel;                       ///< kernel that was tried last
  std::optional<double> us;                 ///< time of that kernel's fastest schedule
  std::optional<double> first_us;           ///< time of that kernel's untuned default
  std::int64_t trials = 0;                  ///< trials so far, of all kernels
  std::int64_t failures = 0;                ///< trials that failed
  std::optional<std::int64_t> most_trials;  ///< AutoscheduleOptions::trials, if it is a limit
  /// Rest of AutoscheduleOptions::time, if that is given; 0 when it is over.
  std::optional<std::chrono::milliseconds> time_left;
  double speedup = 1;  ///< speedup of all kernels together over the untuned defaults
};

/// Options of a search for schedules. Trials need a way to measure, `device` or `workers`, and a limit; of
/// several limits the first that is reached ends them. Without both no trial is made, and the schedules that
/// the model of the device predicts to be fastest are taken.
struct AutoscheduleOptions {
  /// Limit of schedules that are built, checked against the definitions and timed, over all kernels; 0: no
  /// limit.
  std::int64_t trials = 0;
  std::int64_t trials_of_kernel = 0;                ///< limit of trials of each kernel; 0: no limit
  std::optional<std::chrono::milliseconds> time{};  ///< limit of the time that trials take; none: no limit

  /// Device that measures in this process. A driver that crashes ends the process.
  Device* device = nullptr;
  /// Commands that measure. Each starts a process that speaks the protocol of `tensordsl worker`; if it
  /// crashes, only one candidate is lost. All of them must run on identical devices.
  std::vector<std::vector<std::string>> workers{};
  std::chrono::milliseconds worker_silence{60'000};  ///< time without an answer after which a worker is taken
                                                     ///< to hang

  /// File that keeps measurements: schedules that it records for this device, driver and version of tensordsl
  /// are not measured again. Empty: nothing is kept. If it cannot be written, as on a full disk, the trials
  /// end: AutoscheduleReport::problem says why; Pipeline::auto_schedule throws Error.
  std::string database{};
  /// Search algorithm: "model", "anneal", "genetic" or "random"; empty: the best there is.
  std::string explorer{};
  /// Seed of the random numbers that explorers draw; they are the same on every machine.
  std::uint64_t seed = 1;
  /// True: schedules that use too much or too little of the device are pruned before they are tried, and
  /// those that the model of the device predicts to be fastest are tried first.
  bool prunes = true;

  /// Called after each batch of trials; without trials, after each kernel.
  std::function<void(const TuningProgress&)> progress{};
  /// Called before each batch and, with workers, a few times in a second: true ends the trials, and the
  /// fastest schedules so far are taken. Pipeline::auto_schedule also calls it while it chooses where Funcs
  /// are computed, which counts towards `time`; the best choice so far is then taken. The evaluation of one
  /// kernel's schedules is not interrupted.
  std::function<bool()> should_stop{};
};

/// A schedule that was tried or found in the database.
struct TriedSchedule {
  /// Name of the schedule's template: "tiled_reduction".
  std::string strategy, point;  ///< values that configure the template: "lanes=16 pixels=7"
  std::optional<double> us;     ///< measured time; none: the trial failed
  double predicted_us = 0;      ///< predicted time; 0: there is no prediction
};

/// Counts of a strategy's configurations that were evaluated and pruned before any trial.
struct ExploredStrategy {
  std::string strategy;      ///< its name, as in TriedSchedule
  std::int64_t points = 0;   ///< number of all combinations of its knobs' values
  std::int64_t unfit = 0;    ///< configurations that do not fit the extents
  std::int64_t refused = 0;  ///< lowered configurations that a directive or a limit of the device refuses
  /// Number of configurations pruned by each criterion (Romou, Table 1), by its name; a configuration breaks
  /// it by its knobs or when it is lowered.
  std::vector<std::pair<std::string, std::int64_t>> left_out;
};

/// The schedule that was chosen for equal kernels of a model.
struct AutoscheduledKernel {
  std::string operators;  ///< "Conv+Relu"
  std::string kernel;     ///< name of the first of the equal kernels
  int launches = 1;       ///< launches of the model that use this kernel
  /// Chosen strategy, as in TriedSchedule.
  std::string strategy, point;  ///< chosen configuration; empty where no schedule was evaluated
  std::string first;            ///< strategy and configuration of the untuned default; empty if it equals the
                                ///< chosen one
  /// Predicted time of the chosen schedule.
  double predicted_us = 0, first_predicted_us = 0;  ///< predicted time of `first`
  /// Measured time of the chosen schedule: the median of one launch, if it was timed.
  std::optional<double> us, first_us;  ///< measured time of `first`
  std::int64_t flops = 0;              ///< operations that the definitions ask for; 0 if not known
  /// Lower bound of the time: flops at the device's peak, or bytes at the bandwidth of the nearest memory
  /// that holds them, whichever takes longer.
  double floor_us = 0;
  int timed = 0;                      ///< schedules that this call timed
  int known = 0;                      ///< schedules found in the database
  std::vector<std::string> failures;  ///< errors of schedules that were tried
  /// Value that the device computed if every schedule gave a wrong result: then none was chosen by trial.
  /// Else empty.
  std::string suspicion;
  std::int64_t bytes = 0;                  ///< bytes that it reads and writes at least
  std::vector<TriedSchedule> tried;        ///< tried schedules, in the order of the trials
  std::vector<ExploredStrategy> explored;  ///< counts of each strategy that applies
  std::string cpp;                         ///< the schedule, as Schedule::to_cpp prints it
};

/// Two ways of computing the same operators that were both timed: with or without Winograd F(2x2,3x3), or
/// fused into one kernel or unfused.
struct AutoscheduledChoice {
  std::string operators;  ///< "Conv+Relu", computed as one
  double whole_us = 0;    ///< time of the way that the graph's own estimates choose
  double apart_us = 0;    ///< time of the kernels that replace it, with their launches
  bool is_apart = false;  ///< true: the second way was taken, because it is faster by more than noise
};

/// Result of Model::autoschedule: the chosen schedules, and the figures of the device that they rest on.
struct AutoscheduleReport {
  std::vector<AutoscheduledKernel> kernels;  ///< kernels in the model's order
  std::vector<AutoscheduledChoice> choices;  ///< empty if nothing was timed
  std::vector<std::string> guessed;          ///< figures of the device that its profile lacks
  std::int64_t trials = 0;                   ///< trials that this call made
  /// Peak of f32 multiply-adds in the device's profile.
  double peak_gflops = 0, memory_gbs = 0;  ///< bandwidth of reads of buffers that no cache holds, from the
                                           ///< profile
  bool was_stopped = false;                ///< true: should_stop or `problem` ended the trials
  std::string problem;                     ///< reason why the database takes no more records; empty: it takes
                                           ///< them
};

}  // namespace tensordsl
