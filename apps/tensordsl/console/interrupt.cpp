#include "apps/tensordsl/console/interrupt.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tensordsl::cli {
namespace {

sigset_t interrupt_alone() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

void watch(const std::stop_token& stop, const std::function<void()>& on_signal) {
  const sigset_t set = interrupt_alone();
  const timespec moment{0, 50'000'000};
  while (!stop.stop_requested()) {
    if (sigtimedwait(&set, nullptr, &moment) == SIGINT) on_signal();
  }
}

}  // namespace

Interrupt::Interrupt(std::function<void()> on_signal) {
  const sigset_t set = interrupt_alone();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  watcher_ = std::jthread(
      [on_signal = std::move(on_signal)](const std::stop_token& stop) { watch(stop, on_signal); });
}

Interrupt::~Interrupt() {
  watcher_.request_stop();
  watcher_.join();
  const sigset_t set = interrupt_alone();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void say_interrupted(const std::string& message) {
  // A terminal has a bar on the line, and shows ^C.
  const char* start = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  std::fputs(fmt::format("{}tensordsl: interrupted: {}\n", start, message).c_str(), stderr);
  std::fflush(stderr);
}

void end_interrupted(const std::string& message) {
  say_interrupted(message);
  std::_Exit(kInterruptedCode);
}

}  // namespace tensordsl::cli
