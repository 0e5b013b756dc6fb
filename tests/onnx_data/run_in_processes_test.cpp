#include "onnx_data/run_in_processes.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "support/error_text.h"
#include "tensordsl/error.h"

namespace tensordsl::conformance {
namespace {

using namespace std::chrono_literals;

/// Works in batches, and calls `end` for job number 4.
Work in_batches(const std::function<void()>& end) {
  return [end](const std::vector<Job>& jobs, const Listener& listener) {
    std::vector<std::size_t> members;
    const auto run = [&] {
      listener.begin(members);
      if (std::ranges::find(members, 4U) != members.end()) end();
      for (const std::size_t number : members)
        listener.result(number, {Outcome::Passed, "", {std::to_string(members.size())}});
      members.clear();
    };
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      members.push_back(jobs[i].number);
      if (jobs[i].alone || i + 1 == jobs.size() || jobs[i + 1].alone || jobs[i + 1].batch != jobs[i].batch)
        run();
    }
  };
}

/// Seven jobs in batches of three.
std::vector<Job> seven_jobs() {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < 7; ++i) jobs.push_back({i, i / 3});
  return jobs;
}

/// Returns for each case how many were run with it.
std::vector<std::string> companions(const std::vector<Result>& results) {
  std::vector<std::string> texts;
  for (const Result& result : results)
    texts.push_back(result.outcome == Outcome::Passed ? result.constants.at(0) : result.reason);
  return texts;
}

}  // namespace

TEST_CASE("the results of a process are those of its jobs") {
  const auto results = run_in_processes(seven_jobs(), in_batches([] {}), 2, 10s);
  CHECK(companions(results) == std::vector<std::string>{"3", "3", "3", "3", "3", "3", "1"});
}

TEST_CASE("of a batch that ends its process every job runs alone, and the one that does it is named") {
  const auto results = run_in_processes(seven_jobs(), in_batches([] { std::raise(SIGKILL); }), 2, 10s);
  CHECK(companions(results) ==
        std::vector<std::string>{"3", "3", "3", "1", "signal 9 ends the process", "1", "1"});
  CHECK(results[4].outcome == Outcome::Failed);
}

TEST_CASE("a process that tells nothing for too long is ended") {
  const auto results =
      run_in_processes(seven_jobs(), in_batches([] { std::this_thread::sleep_for(100s); }), 2, 2s);
  CHECK(results[4].outcome == Outcome::Failed);
  CHECK(results[4].reason == "it takes more than 2000 ms");
  CHECK(companions(results)[5] == "1");
}

TEST_CASE("a process that cannot begin is an error") {
  CHECK(error_of([] {
          run_in_processes(
              seven_jobs(), [](const auto&, const auto&) { throw Error("no device"); }, 2, 10s);
        }) == "no device");
  CHECK(error_of([] {
          run_in_processes(
              seven_jobs(), [](const auto&, const auto&) { _exit(5); }, 2, 10s);
        }) == "a process of cases does nothing: it ends the process with 5");
}

}  // namespace tensordsl::conformance
