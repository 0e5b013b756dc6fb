#include "apps/tensordsl/interrupt.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tensordsl::cli {
namespace {

constexpr int kInterrupted = 130;  // as shells have it: 128 and the signal's number

sigset_t interrupt_alone() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

void watch(const std::stop_token& stop, const std::function<std::string()>& message) {
  const sigset_t set = interrupt_alone();
  const timespec moment{0, 50'000'000};
  while (!stop.stop_requested()) {
    if (sigtimedwait(&set, nullptr, &moment) != SIGINT) continue;
    // A terminal has a bar on the line, and shows ^C.
    const char* start = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
    std::fputs(fmt::format("{}tensordsl: interrupted: {}\n", start, message()).c_str(), stderr);
    std::fflush(stderr);
    std::_Exit(kInterrupted);
  }
}

}  // namespace

Interrupt::Interrupt(std::function<std::string()> message) {
  const sigset_t set = interrupt_alone();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  watcher_ =
      std::jthread([message = std::move(message)](const std::stop_token& stop) { watch(stop, message); });
}

Interrupt::~Interrupt() {
  watcher_.request_stop();
  watcher_.join();
  const sigset_t set = interrupt_alone();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace tensordsl::cli
