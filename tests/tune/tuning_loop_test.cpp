// The trials of several kernels: when they end, and the report.
#include "tune/trial/tuning_loop.h"

#include <doctest/doctest.h>

#include "tensordsl/error.h"
#include "tune/fake_measurer.h"
#include "tune/searched_task.h"

namespace tensordsl::tune {
namespace {

std::vector<std::unique_ptr<measure::Measurer>> measurers(int count) {
  std::vector<std::unique_ptr<measure::Measurer>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<FakeMeasurer>());
  return all;
}

std::vector<TunedTask> two_tasks(const SearchedTask& task) {
  std::vector<TunedTask> tasks;
  for (const char* name : {"first", "second"}) tasks.push_back({name, [&task] { return task.search(); }});
  return tasks;
}

TEST_CASE("trials: every kernel has some, and no more than the limit are made") {
  const SearchedTask task;
  std::vector<TunedTask> tasks = two_tasks(task);
  AutoscheduleOptions options;
  options.trials = 11;
  std::size_t kept = 0;
  const auto keep = [&](const std::vector<records::TuningRecord>& records) { kept += records.size(); };
  const TuningOutcome outcome = tune_tasks(tasks, measurers(1), keep, options);
  CHECK(outcome.trials == 11);
  CHECK(kept == 11);
  CHECK_FALSE(outcome.was_stopped);
  CHECK(outcome.problem == "");
  for (const TunedTask& one : tasks) CHECK(one.search->best_us().has_value());
}

TEST_CASE("trials: records that cannot be kept end them, and what was found is there") {
  for (const int count : {1, 3}) {
    const SearchedTask task;
    std::vector<TunedTask> tasks = two_tasks(task);
    AutoscheduleOptions options;
    options.trials = 200;
    int asked = 0;
    const auto keep = [&](const std::vector<records::TuningRecord>&) {
      if (++asked == 2) throw Error("the disk is full");
      CHECK(asked == 1);
    };
    const TuningOutcome outcome = tune_tasks(tasks, measurers(count), keep, options);
    CHECK(outcome.problem == "the disk is full");
    CHECK(outcome.was_stopped);
    CHECK(outcome.trials < 200);
    CHECK(
        std::ranges::any_of(tasks, [](const TunedTask& one) { return one.search && one.search->best_us(); }));
  }
}

TEST_CASE("trials: a kernel that cannot be looked at ends them with its own error") {
  const SearchedTask task;
  std::vector<TunedTask> tasks = two_tasks(task);
  tasks[0].make = []() -> std::unique_ptr<TaskSearch> { throw Error("no such Func"); };
  tasks[0].floor_us = 5;
  AutoscheduleOptions options;
  options.trials = 20;
  CHECK_THROWS_WITH_AS(tune_tasks(
                           tasks, measurers(2), [](const auto&) {}, options),
                       "no such Func", Error);
}

}  // namespace
}  // namespace tensordsl::tune
