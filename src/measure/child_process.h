// A process of its own whose standard input and output are lines for this one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace tensordsl::measure {

/// For one thread at a time. Its Ctrl-C is not this process's: it is in a process group of its own.
class ChildProcess {
 public:
  /// The program, found as shells find it, and its arguments. Throws Error if it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& command);
  /// Kills it, if it still runs, and waits for its end.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  enum class Outcome { Done, Ended, Silent };
  using Duration = std::chrono::milliseconds;

  /// Hands it a line, without its end. Silent: it has not read the line in that time.
  Outcome write_line(const std::string& line, Duration most);
  /// Reads its next line, without the line end. Ended: there are no more. Silent: none came in that time.
  Outcome read_line(std::string& line, Duration most);

  /// Kills it, if it still runs. How it ended, with the last that it wrote to its standard error: "it ended
  /// by signal 11 (Segmentation fault): ..".
  std::string end();

 private:
  void read_some(int descriptor, std::string& text);

  pid_t id_ = -1;
  int input_ = -1, output_ = -1, error_ = -1;  // this side's ends
  std::string read_, said_;
  bool has_ended_ = false;  // its output
};

}  // namespace tensordsl::measure
