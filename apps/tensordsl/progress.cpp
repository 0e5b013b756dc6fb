#include "apps/tensordsl/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace tensordsl::cli {

using std::chrono::duration;
using std::chrono::steady_clock;

Progress::Progress(std::string what)
    : what_(std::move(what)),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      started_(steady_clock::now()),
      last_(started_) {}

Progress::~Progress() {
  if (drawn_ && is_terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::update(int done, int total) {
  const auto now = steady_clock::now();
  const double since_start = duration<double>(now - started_).count();
  // What is over within a second needs no report.
  if (since_start < 1.0 || duration<double>(now - last_).count() < (is_terminal_ ? 0.1 : 2.0)) return;
  last_ = now;
  drawn_ = true;
  if (!is_terminal_) {
    std::fputs(fmt::format("{}: {} of {}, {:.0f} s\n", what_, done, total, since_start).c_str(), stderr);
    return;
  }
  constexpr int kWidth = 40;
  const int filled = total > 0 ? kWidth * done / total : 0;
  std::fputs(
      fmt::format("\r{} [{:=<{}}{: <{}}] {}/{}", what_, "", filled, "", kWidth - filled, done, total).c_str(),
      stderr);
  std::fflush(stderr);
}

}  // namespace tensordsl::cli
