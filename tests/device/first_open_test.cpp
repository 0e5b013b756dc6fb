#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "tensordsl/device.h"

using namespace tensordsl;

namespace {

constexpr int kThreads = 8;

/// Opens the default device in several threads at once: how many have another one than the first.
int open_at_once() {
  std::vector<std::string> names(kThreads);
  std::latch start(kThreads);
  std::vector<std::thread> threads;
  for (std::string& name : names) {
    threads.emplace_back([&] {
      start.arrive_and_wait();
      try {
        name = Device::open()->info().name;
      } catch (const std::exception& e) {
        name = e.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int others = 0;
  for (const std::string& name : names) others += name != names[0];
  return others + (names[0].find("no device found") == 0 ? kThreads : 0);
}

}  // namespace

TEST_CASE("device: the first open of a process may come from eight threads at once") {
  // A process of its own: the loader of drivers starts once in each.
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) _exit(open_at_once());
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE_MESSAGE(WIFEXITED(status), "ended by signal " << WTERMSIG(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}
