// Ctrl-C while something takes minutes.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace tensordsl::cli {

/// Calls a function on a thread of its own on SIGINT, as long as it lives. Must be constructed before other
/// threads are, so that they inherit the blocked signal.
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
/// Reports the interrupt like the function above and ends the process with that exit code, whatever other
/// threads are doing.
[[noreturn]] void end_interrupted(const std::string& message);

}  // namespace tensordsl::cli
