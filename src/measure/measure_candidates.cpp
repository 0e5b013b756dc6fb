#include "measure/measure_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/run_in_parallel.h"
#include "measure/operand_values.h"
#include "tensordsl/error.h"
#include "tensordsl/runner.h"

namespace tensordsl::measure {
namespace {

/// After that many rounds, clearly slower candidates leave.
constexpr int kRoundsOfAll = 4;
/// A candidate is clearly slower if its fastest run exceeds the median of the best by this factor.
constexpr double kClearlySlower = 1.15;

double microseconds_of(Runner& runner) {
  double sum = 0;
  for (const std::int64_t nanoseconds : runner.run_timed()) sum += static_cast<double>(nanoseconds) * 1e-3;
  return sum;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Returns the number of rounds: short kernels are timed more often, long ones less.
int rounds_for(double us) {
  constexpr double kBudget = 2e5;
  constexpr int kFewest = 7, kMost = 31;
  return std::clamp(static_cast<int>(kBudget / std::max(us, 1.0)), kFewest, kMost);
}

class Session {
 public:
  Session(const Request& request, Device& device, const Timing& timing)
      : request_(request),
        device_(device),
        timing_(timing),
        runners_(request.programs.size()),
        times_(request.programs.size()) {
    result_.programs.resize(request.programs.size());
  }

  TimedPrograms run() {
    build();
    check();
    tell_failures();
    if (!result_.is_device_lost) time();
    return std::move(result_);
  }

 private:
  void tell(std::size_t program, const char* doing) const {
    if (timing_.progress) timing_.progress(program, doing);
  }

  void fail(std::size_t i, std::string why) {
    result_.programs[i].failure = why.empty() ? "it failed without a message" : std::move(why);
    runners_[i].reset();
  }

  void tell_failures() const {
    if (!timing_.hooks.failed) return;
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      const Measured& program = result_.programs[i];
      if (!program.failure.empty()) timing_.hooks.failed(i, program);
    }
  }

  /// Drivers take longer over a kernel than the kernel does: all cores build.
  void build() {
    build_between();
    const auto build_one = [&](std::size_t i) {
      if (!request_.programs[i]) return;
      try {
        runners_[i] =
            std::make_unique<Runner>(request_.programs[i], device_, likely_params(*request_.programs[i]));
      } catch (const Error& error) {
        fail(i, error.what());
      }
    };
    if (timing_.one_by_one) {
      for (std::size_t i = 0; i < runners_.size(); ++i) {
        tell(i, "building");
        build_one(i);
      }
    } else {
      tell(0, "building");
      std::mutex telling;
      run_in_parallel(static_cast<int>(runners_.size()), [&](int job) {
        build_one(static_cast<std::size_t>(job));
        const std::lock_guard lock(telling);
        tell(static_cast<std::size_t>(job), "building");
      });
    }
  }

  void build_between() {
    if (!request_.between) return;
    try {
      between_ = std::make_unique<Runner>(request_.between, device_, likely_params(*request_.between));
      between_->write_all(operand_values(*request_.between, between_->params()));
    } catch (const Error&) {
      between_.reset();  // If it cannot be built, all are timed without it.
    }
  }

  double timed(std::size_t i) {
    if (between_) between_->run();
    return microseconds_of(*runners_[i]);
  }

  void check() {
    OutputCheck check(request_.expected);
    std::map<std::string, Buffer> values;
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      if (!runners_[i]) continue;
      if (timing_.hooks.stops()) return;
      tell(i, "running");
      try {
        if (values.empty()) values = operand_values(*request_.programs[i], runners_[i]->params());
        runners_[i]->write_all(values);
        runners_[i]->run();
        const std::string wrong = check.check(runners_[i]->read_all());
        result_.programs[i].is_wrong = !wrong.empty();
        if (!wrong.empty()) {
          fail(i, wrong);
        } else {
          slowest_ = std::max(slowest_, timed(i));
        }
      } catch (const DeviceError& error) {
        lose_device(i, error.what());
        return;
      } catch (const Error& error) {
        fail(i, error.what());
      }
    }
  }

  /// Reports a lost device: candidates that were not timed yet have no result.
  void lose_device(std::size_t i, const std::string& why) {
    fail(i, why);
    result_.is_device_lost = true;
  }

  void time() {
    for (int round = 0, rounds = rounds_for(slowest_); round < rounds; ++round) {
      if (timing_.hooks.stops()) return;
      for (std::size_t i = 0; i < runners_.size(); ++i) {
        if (!runners_[i]) continue;
        if (round == 0) tell(i, "timing");
        try {
          times_[i].push_back(timed(i));
        } catch (const DeviceError& error) {
          lose_device(i, error.what());
          return;
        }
      }
      if (round + 1 >= kRoundsOfAll) drop_slow();
    }
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      if (!times_[i].empty() && result_.programs[i].failure.empty())
        result_.programs[i].us = median(times_[i]);
    }
  }

  /// The first stays: later ones are compared with its time.
  void drop_slow() {
    double best = INFINITY;
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      if (runners_[i]) best = std::min(best, median(times_[i]));
    }
    for (std::size_t i = 1; i < runners_.size(); ++i) {
      if (runners_[i] && std::ranges::min(times_[i]) > kClearlySlower * best) runners_[i].reset();
    }
  }

  const Request& request_;
  Device& device_;
  const Timing& timing_;
  std::unique_ptr<Runner> between_;               // null: there is nothing to run
  std::vector<std::unique_ptr<Runner>> runners_;  // null: failed, or left
  std::vector<std::vector<double>> times_;
  TimedPrograms result_;
  double slowest_ = 0;
};

}  // namespace

TimedPrograms measure_candidates(const Request& request, Device& device, const Timing& timing) {
  return Session(request, device, timing).run();
}

}  // namespace tensordsl::measure
