#include "base/run_in_parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using tensordsl::run_in_parallel;

TEST_CASE("run in parallel: each job runs once, progress ends at the total and stays on the calling thread") {
  for (const int count : {0, 1, 2, 1000}) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
    int last = 0;
    run_in_parallel(
        count, [&](int job) { ++runs[static_cast<std::size_t>(job)]; },
        [&, caller = std::this_thread::get_id()](int done, int total) {
          CHECK(std::this_thread::get_id() == caller);
          CHECK(total == count);
          CHECK(done > last);
          last = done;
        });
    CHECK(last == count);
    for (const auto& n : runs) CHECK(n == 1);
  }
}

TEST_CASE("run in parallel: an exception stops the rest and the lowest job's is thrown") {
  std::atomic<int> started = 0;
  std::atomic<int> waiting = 0;
  const auto work = [&](int job) {
    ++started;
    if (job > 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return;
    }
    // Makes both fail at the same time if two threads are available.
    ++waiting;
    if (std::thread::hardware_concurrency() > 1) {
      while (waiting < 2) std::this_thread::yield();
    }
    throw std::runtime_error("job " + std::to_string(job));
  };
  CHECK_THROWS_WITH_AS(run_in_parallel(100000, work), "job 0", std::runtime_error);
  CHECK(started < 100000);
}

TEST_CASE("run in parallel: an exception of the progress function stops the rest") {
  std::atomic<int> started = 0;
  CHECK_THROWS_WITH_AS(run_in_parallel(
                           100000,
                           [&](int) {
                             ++started;
                             std::this_thread::sleep_for(std::chrono::milliseconds(1));
                           },
                           [](int, int) { throw std::runtime_error("canceled"); }),
                       "canceled", std::runtime_error);
  CHECK(started < 100000);
}
