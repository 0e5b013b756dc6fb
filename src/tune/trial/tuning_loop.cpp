#include "tune/trial/tuning_loop.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "tensordsl/error.h"

namespace tensordsl::tune {
namespace {

using Clock = std::chrono::steady_clock;

using Keep = std::function<void(const std::vector<records::TuningRecord>&)>;

constexpr std::int64_t kBatch = 8;
/// The share of the gain expected of a kernel's next batch that is left after a batch without gain.
constexpr double kFading = 0.7;

class Loop {
 public:
  Loop(std::vector<TunedTask>& tasks, const Keep& keep, const AutoscheduleOptions& options)
      : tasks_(tasks), keep_(keep), options_(options), states_(tasks.size()) {
    if (options.time) end_ = Clock::now() + *options.time;
  }

  /// Runs one measurer, on its own thread.
  void work(measure::Measurer& measurer) {
    try {
      for (;;) {
        std::unique_lock lock(mutex_);
        const auto next = take_next();
        if (!next) return;
        lock.unlock();
        TunedTask& task = tasks_[next->task];
        if (!task.search) task.search = made(task);
        const std::vector<records::TuningRecord> records =
            task.search->step(measurer, static_cast<std::size_t>(next->most), hooks());
        lock.lock();
        give_back(*next, records);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      ++lost_;
      if (!problem_) problem_ = std::current_exception();
    }
  }

  TuningOutcome outcome(std::size_t measurers) {
    // A measurer that still works has done the work of the others.
    if (problem_ && (lost_ == measurers || is_fatal_)) std::rethrow_exception(problem_);
    return {trials_, was_stopped_ || !unkept_.empty(), unkept_};
  }

 private:
  struct Progress {
    double hope = 1;  // gain expected of the next batch, relative to the first one's
    bool is_begun = false, is_busy = false, is_over = false;
    std::int64_t trials = 0;
    std::optional<double> us, first_us;  // as of its last batch
  };
  struct Step {
    std::size_t task = 0;
    std::int64_t most = 0;
  };

  double floor_of(std::size_t i) const { return tasks_[i].launches * tasks_[i].floor_us; }

  double gain_of(std::size_t i) {
    TaskSearch& search = *tasks_[i].search;
    if (search.ranking().candidates.empty()) return 0;
    const double time = tasks_[i].launches * search.best_us().value_or(search.predicted_us(search.best()));
    // A kernel at its floor may have a floor that is not right.
    constexpr double kAlwaysPossible = 0.05;
    return states_[i].hope * std::max(time - floor_of(i), kAlwaysPossible * time);
  }

  /// Another measurer would not help with a kernel whose candidates cannot be evaluated.
  std::unique_ptr<TaskSearch> made(const TunedTask& task) {
    try {
      return task.make();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      is_fatal_ = true;
      throw;
    }
  }

  /// The state of a step that is under way.
  StepHooks hooks() {
    StepHooks hooks;
    hooks.should_stop = [this] {
      const std::lock_guard lock(mutex_);
      return should_end();
    };
    hooks.failed = [this](const records::TuningRecord& record) {
      const std::lock_guard lock(mutex_);
      keep({record});
    };
    return hooks;
  }

  std::int64_t batch_of(std::size_t i) const {
    std::int64_t most = kBatch;
    if (options_.trials > 0) {
      // With few trials in all, every kernel must get some.
      const auto share = options_.trials / (2 * static_cast<std::int64_t>(tasks_.size()));
      if (!states_[i].is_begun) most = std::clamp<std::int64_t>(share, 2, kBatch);
      most = std::min(most, options_.trials - trials_ - under_way_);
    }
    if (options_.trials_of_kernel > 0) most = std::min(most, options_.trials_of_kernel - states_[i].trials);
    return most;
  }

  /// True if trials must end, also the ones in progress.
  bool should_end() {
    if (is_fatal_ || was_stopped_ || !unkept_.empty() || (end_ && Clock::now() >= *end_)) return true;
    was_stopped_ = options_.should_stop && options_.should_stop();
    return was_stopped_;
  }

  bool has_ended() {
    return should_end() || (options_.trials > 0 && trials_ + under_way_ >= options_.trials);
  }

  std::optional<Step> take_next() {
    if (has_ended()) return std::nullopt;
    std::optional<Step> best;
    double most = -1;
    bool is_best_begun = true;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const Progress& state = states_[i];
      if (state.is_busy || state.is_over || (state.is_begun && !is_best_begun)) continue;
      const std::int64_t batch = batch_of(i);
      if (batch <= 0) continue;
      const double gain = state.is_begun ? gain_of(i) : floor_of(i) - (tasks_[i].is_alternative ? 1e12 : 0);
      if (state.is_begun == is_best_begun && gain <= most) continue;
      best = Step{i, batch};
      most = gain;
      is_best_begun = state.is_begun;
    }
    if (best) {
      states_[best->task].is_busy = true;
      under_way_ += best->most;
    }
    return best;
  }

  void give_back(const Step& step, const std::vector<records::TuningRecord>& records) {
    Progress& state = states_[step.task];
    TaskSearch& search = *tasks_[step.task].search;
    const auto tried = static_cast<std::int64_t>(records.size());
    state.is_busy = false;
    state.is_begun = true;
    state.is_over = records.empty();
    state.trials += tried;
    under_way_ -= step.most;
    trials_ += tried;
    constexpr double kBetter = 0.99;
    const bool is_better = search.best_us() && (!state.us || *search.best_us() < kBetter * *state.us);
    state.hope = is_better ? 1 : state.hope * kFading;
    state.us = search.best_us();
    state.first_us = search.first_us();
    for (const records::TuningRecord& record : records) failures_ += record.us ? 0 : 1;
    keep(records);
    tell(step.task);
  }

  /// Ends the trials if records cannot be kept, as they would have to be measured again; the results so far
  /// are used.
  void keep(const std::vector<records::TuningRecord>& records) {
    if (!unkept_.empty()) return;
    try {
      keep_(records);
    } catch (const Error& error) {
      unkept_ = error.what();
    }
  }

  void tell(std::size_t task) {
    if (!options_.progress) return;
    TuningProgress progress;
    progress.kernel = tasks_[task].name;
    progress.us = states_[task].us;
    progress.first_us = states_[task].first_us;
    progress.trials = trials_;
    progress.failures = failures_;
    if (options_.trials > 0) progress.most_trials = options_.trials;
    if (end_) {
      progress.time_left =
          std::max(std::chrono::milliseconds(0),
                   std::chrono::duration_cast<std::chrono::milliseconds>(*end_ - Clock::now()));
    }
    double first = 0, best = 0;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (!states_[i].us || !states_[i].first_us || tasks_[i].is_alternative) continue;
      first += tasks_[i].launches * *states_[i].first_us;
      best += tasks_[i].launches * *states_[i].us;
    }
    if (best > 0) progress.speedup = first / best;
    options_.progress(progress);
  }

  std::vector<TunedTask>& tasks_;
  const Keep& keep_;
  const AutoscheduleOptions& options_;
  std::optional<Clock::time_point> end_;
  std::mutex mutex_;  // over all that follows, and the searches that are not busy
  std::vector<Progress> states_;
  std::int64_t trials_ = 0, under_way_ = 0, failures_ = 0;
  bool was_stopped_ = false, is_fatal_ = false;
  std::string unkept_;  // why records could not be kept
  std::size_t lost_ = 0;
  std::exception_ptr problem_;
};

}  // namespace

TuningOutcome tune_tasks(std::vector<TunedTask>& tasks,
                         const std::vector<std::unique_ptr<measure::Measurer>>& measurers,
                         const std::function<void(const std::vector<records::TuningRecord>&)>& keep,
                         const AutoscheduleOptions& options) {
  Loop loop(tasks, keep, options);
  {
    std::vector<std::jthread> threads;
    for (std::size_t m = 1; m < measurers.size(); ++m)
      threads.emplace_back([&loop, &measurer = *measurers[m]] { loop.work(measurer); });
    loop.work(*measurers.front());
  }
  return loop.outcome(measurers.size());
}

}  // namespace tensordsl::tune
