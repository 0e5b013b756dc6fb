// Jobs run whole, their steps in order.
#include "backends/llvm/device/worker_threads.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "backends/llvm/device/host_queue.h"

namespace tensordsl::host {
namespace {

constexpr std::size_t kStack = 1 << 20;

}  // namespace

TEST_CASE("worker threads: every piece runs once, and a step begins when the one before has ended") {
  WorkerThreads threads(4, kStack);
  constexpr std::int64_t kPieces = 1000;
  for (int round = 0; round < 50; ++round) {
    std::vector<std::atomic<int>> runs(kPieces);
    std::atomic<std::int64_t> done = 0;
    std::atomic<bool> began_early = false;
    std::vector<Job::Step> steps;
    for (int step = 0; step < 5; ++step) {
      steps.push_back(
          {.pieces = kPieces, .at_once = 7, .run = [&, step](std::int64_t first, std::int64_t last) {
             if (done < step * kPieces) began_early = true;
             for (std::int64_t i = first; i < last; ++i) ++runs[static_cast<std::size_t>(i)];
             done += last - first;
           }});
    }
    const auto job = std::make_shared<Job>(std::move(steps));
    threads.start(job);
    job->wait();
    CHECK(done == 5 * kPieces);
    CHECK_FALSE(began_early);
    for (const std::atomic<int>& count : runs) REQUIRE(count == 5);
  }
}

TEST_CASE("worker threads: jobs run in the order in which they were started") {
  WorkerThreads threads(3, kStack);
  std::vector<int> order;
  std::shared_ptr<Job> last;
  for (int i = 0; i < 200; ++i) {
    std::vector<Job::Step> steps;
    steps.push_back(
        {.pieces = 1, .at_once = 1, .run = [&order, i](std::int64_t, std::int64_t) { order.push_back(i); }});
    last = std::make_shared<Job>(std::move(steps));
    threads.start(last);
  }
  last->wait();
  REQUIRE(order.size() == 200);
  for (int i = 0; i < 200; ++i) REQUIRE(order[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("worker threads: a job without pieces is done at once") {
  std::vector<Job::Step> steps(3);
  const Job job(std::move(steps));
  CHECK(job.is_done());
  job.wait();
}

TEST_CASE("host queue: to wait for a job of nothing is to wait for those before it") {
  HostQueue queue(2, kStack);
  std::atomic<bool> is_done = false;
  std::vector<Job::Step> steps;
  steps.push_back({.pieces = 1, .at_once = 1, .run = [&](std::int64_t, std::int64_t) {
                     std::this_thread::sleep_for(std::chrono::milliseconds(20));
                     is_done = true;
                   }});
  queue.start(std::make_shared<Job>(std::move(steps)));
  queue.start(std::make_shared<Job>(std::vector<Job::Step>()));
  queue.wait();
  CHECK(is_done);
}

TEST_CASE("worker threads: what was started is done before the threads end") {
  std::atomic<int> done = 0;
  {
    WorkerThreads threads(2, kStack);
    for (int i = 0; i < 20; ++i) {
      std::vector<Job::Step> steps;
      steps.push_back({.pieces = 10, .at_once = 1, .run = [&](std::int64_t, std::int64_t) { ++done; }});
      threads.start(std::make_shared<Job>(std::move(steps)));
    }
  }
  CHECK(done == 200);
}

}  // namespace tensordsl::host
