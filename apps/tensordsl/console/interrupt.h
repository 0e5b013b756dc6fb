// Ctrl-C while something takes minutes.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace tensordsl::cli {

/// As long as it lives, SIGINT calls a function on a thread of its own. It has to be there before other
/// threads are: they are not to get the signal.
class Interrupt {
 public:
  explicit Interrupt(std::function<void()> on_signal);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::jthread watcher_;
};

/// "tensordsl: interrupted: MESSAGE" on stderr, on a line of its own.
void say_interrupted(const std::string& message);
constexpr int kInterruptedCode = 130;  // as shells have it: 128 and the signal's number
/// The same, and the process ends with that exit code, whatever other threads are in the middle of.
[[noreturn]] void end_interrupted(const std::string& message);

}  // namespace tensordsl::cli
