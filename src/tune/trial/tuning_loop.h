// Trials for all kernels of a model: who is next, until the budget is used up.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/measurer.h"
#include "records/tuning_record.h"
#include "tensordsl/autoschedule.h"
#include "tune/trial/task_search.h"

namespace tensordsl::tune {

/// A kernel with the weight of its time.
struct TunedTask {
  std::string name;
  /// Creates the kernel's search by ranking its candidates, which takes seconds. Called once, when the
  /// kernel's turn comes, by any thread.
  std::function<std::unique_ptr<TaskSearch>()> make;
  double launches = 1;
  double floor_us = 0;
  bool is_alternative = false;           ///< true if it replaces others, and is tuned after them
  std::unique_ptr<TaskSearch> search{};  ///< null: its turn has not come
};

struct TuningOutcome {
  std::int64_t trials = 0;
  bool was_stopped = false;
  std::string problem{};  ///< why records could not be kept, which ended the trials
};

/// Every kernel has a first batch, those that take longest first. Then the next is for the kernel where most
/// time may still be gained: its launches times its time above the floor, less with each batch that brought
/// nothing. Source of the idea: Zheng et al., Ansor (OSDI 2020), section 6.
///
/// `measurers`: each has a thread. `keep`: gets each batch as soon as it is complete, and each failure in it
/// before that; one call at a time. Its Error ends the trials: TuningOutcome::problem. Throws Error if no
/// measurer works any more.
TuningOutcome tune_tasks(std::vector<TunedTask>& tasks,
                         const std::vector<std::unique_ptr<measure::Measurer>>& measurers,
                         const std::function<void(const std::vector<records::TuningRecord>&)>& keep,
                         const AutoscheduleOptions& options);

}  // namespace tensordsl::tune
