// Progress of work that can take more than a second: a bar on a terminal, never wider than it, plain lines
// elsewhere, both on stderr.
#pragma once

#include <chrono>
#include <string>

namespace tensordsl::cli {

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(int done, int total);

 private:
  std::string what_;
  bool is_terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point started_, last_;
};

}  // namespace tensordsl::cli
