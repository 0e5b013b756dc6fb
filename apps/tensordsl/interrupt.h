// Ctrl-C while something takes minutes.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace tensordsl::cli {

/// As long as it lives, SIGINT ends the process with exit code 130 after `message` is written to stderr. It
/// has to be there before other threads are: they are not to get the signal, and may be in the middle of
/// anything when the process ends.
class Interrupt {
 public:
  /// `message` is asked on a thread of its own.
  explicit Interrupt(std::function<std::string()> message);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::jthread watcher_;
};

}  // namespace tensordsl::cli
