// Choosing the schedules of a whole model: by a model of the device, and by trials.
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

/// How far the trials of a model have come.
struct TuningProgress {
  std::string kernel;                       ///< whose trials were the last
  std::optional<double> us;                 ///< of its fastest schedule
  std::optional<double> first_us;           ///< of what is taken without a trial
  std::int64_t trials = 0;                  ///< so far, of all kernels
  std::int64_t failures = 0;                ///< of these
  std::optional<std::int64_t> most_trials;  ///< AutoscheduleOptions::trials, if it is a limit
  /// Of AutoscheduleOptions::time, if that is given; 0 when it is over.
  std::optional<std::chrono::milliseconds> time_left;
  double speedup = 1;  ///< of all kernels together, over what is taken without a trial
};

/// Trials need something that measures, `device` or `workers`, and a limit, the first that is reached of
/// those that are given. Without both none is made, and what the model of the device says is taken.
struct AutoscheduleOptions {
  /// Schedules that are built, checked against the definitions and timed, of all kernels together; 0: no
  /// limit.
  std::int64_t trials = 0;
  std::int64_t trials_of_kernel = 0;                ///< of each; 0: no limit
  std::optional<std::chrono::milliseconds> time{};  ///< how long the trials go on; none: no limit

  /// Measures in this process. A driver that ends it ends all.
  Device* device = nullptr;
  /// Commands that measure, each in a process of its own that speaks src/measure/worker_protocol.h, as
  /// `tensordsl worker` does: what it does not survive costs one candidate. All on equal devices.
  std::vector<std::vector<std::string>> workers{};
  std::chrono::milliseconds worker_silence{60'000};  ///< a worker that says nothing for so long hangs

  /// A file for what is measured: what is in it for this device, driver and version of tensordsl is not
  /// measured again. Empty: nothing is kept. If it takes no more, as where the disk is full, the trials end:
  /// AutoscheduleReport::problem says why; Pipeline::auto_schedule throws Error.
  std::string database{};
  /// "model", "anneal", "genetic" or "random"; empty: the best there is.
  std::string explorer{};
  /// Of the random numbers that explorers draw; the same on every machine.
  std::uint64_t seed = 1;
  /// Whether schedules that ask too much or too little of the device are left out before they are tried, and
  /// those that the model of the device takes for the best are tried first.
  bool prunes = true;

  /// Told after each batch of trials; without trials, after each kernel.
  std::function<void(const TuningProgress&)> progress{};
  /// Asked before each batch and, where workers measure, a few times in a second: true ends the trials, and
  /// the fastest so far is taken. Pipeline::auto_schedule also asks it as it chooses where Funcs are
  /// computed, which counts towards `time`: then the best places so far are taken. It does not end the look
  /// at one kernel's schedules.
  std::function<bool()> should_stop{};
};

/// A schedule that was tried, or that the database told of.
struct TriedSchedule {
  /// The template of the schedule: "tiled_reduction".
  std::string strategy, point;  ///< what the template leaves open: "lanes=16 pixels=7"
  std::optional<double> us;     ///< none: it failed
  double predicted_us = 0;      ///< 0: nothing was predicted
};

/// What became of the points of a strategy before any was tried.
struct ExploredStrategy {
  std::string strategy;      ///< its name, as in TriedSchedule
  std::int64_t points = 0;   ///< of all combinations of its knobs' values
  std::int64_t unfit = 0;    ///< that do not fit the extents
  std::int64_t refused = 0;  ///< of those that were lowered, by the directives or by the device's limits
  /// By the name of a criterion (Romou, Table 1): points that break it by their knobs, or lowered.
  std::vector<std::pair<std::string, std::int64_t>> left_out;
};

/// What was chosen for equal kernels of a model.
struct AutoscheduledKernel {
  std::string operators;  ///< "Conv+Relu"
  std::string kernel;     ///< the first of its entries
  int launches = 1;       ///< of the model, that are computed so
  /// What was chosen: as in TriedSchedule.
  std::string strategy, point;  ///< empty where nothing was looked at
  std::string first;            ///< strategy and point that are taken where nobody looks; empty: the same
  /// Of what was chosen, by the model of the device.
  double predicted_us = 0, first_predicted_us = 0;  ///< of `first`, likewise
  /// Of what was chosen: the median of one launch, where it was timed.
  std::optional<double> us, first_us;  ///< of `first`, likewise
  std::int64_t flops = 0;              ///< that the definitions ask for, 0 if not known
  /// Flops at the device's peak, or bytes at that of the nearest memory with room for them, whichever takes
  /// longer.
  double floor_us = 0;
  int timed = 0;                      ///< schedules, of this call
  int known = 0;                      ///< schedules that the database told of
  std::vector<std::string> failures;  ///< of schedules that were tried: what went wrong
  /// Empty, or what the device computed where every schedule was wrong: then nothing was chosen by trial.
  std::string suspicion;
  std::int64_t bytes = 0;                  ///< that it reads and writes at least
  std::vector<TriedSchedule> tried;        ///< in their order
  std::vector<ExploredStrategy> explored;  ///< of each strategy that applies
  std::string cpp;                         ///< the schedule, as Schedule::to_cpp prints it
};

/// Kernels with an alternative, where both were timed: a Winograd convolution or a direct one, several
/// operators as one kernel or as several.
struct AutoscheduledChoice {
  std::string operators;  ///< "Conv+Relu", computed as one
  double whole_us = 0;    ///< as the graph's own estimates have it
  double apart_us = 0;    ///< the kernels that stand in its place, with their launches
  bool is_apart = false;  ///< the second way was taken: it is faster by more than noise
};

/// What Model::autoschedule has chosen, of what, and what it knew.
struct AutoscheduleReport {
  std::vector<AutoscheduledKernel> kernels;  ///< in the model's order
  std::vector<AutoscheduledChoice> choices;  ///< empty if nothing was timed
  std::vector<std::string> guessed;          ///< figures of the device that its profile does not tell
  std::int64_t trials = 0;                   ///< of this call
  /// Of multiply-adds of f32, as the device's profile has it.
  double peak_gflops = 0, memory_gbs = 0;  ///< of reads of buffers that no cache holds, likewise
  bool was_stopped = false;                ///< by should_stop, or by `problem`
  std::string problem;                     ///< why the database took no more records; empty: it did
};

}  // namespace tensordsl
