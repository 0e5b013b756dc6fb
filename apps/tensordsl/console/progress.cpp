#include "apps/tensordsl/console/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "apps/tensordsl/console/terminal.h"

namespace tensordsl::cli {
namespace {

/// Cuts the text to `columns`; a cut is marked, and is never within a character. No character is wider than
/// its number of bytes, so the result never is too wide.
std::string shortened(const std::string& text, std::size_t columns) {
  constexpr std::string_view kCut = "...";
  if (text.size() <= columns) return text;
  if (columns <= kCut.size()) return "";
  std::size_t end = columns - kCut.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + std::string(kCut);
}

/// "what [====    ] 3/24" in less than `columns`: the last one would make some terminals begin a new line.
/// Where there is little room, first the text is cut, then there is no bar.
std::string progress_line(const std::string& what, int done, int total, int columns) {
  const std::string count = fmt::format("{}/{}", done, total);
  const int room = columns - 1 - static_cast<int>(count.size());
  if (room < 0) return "";
  constexpr int kWidest = 40, kNarrowest = 10, kFrame = 4;  // " [" and "] "
  const int bar = std::min(kWidest, room - kFrame - std::min(static_cast<int>(what.size()), room / 2));
  if (bar < kNarrowest) return shortened(what, static_cast<std::size_t>(std::max(0, room - 1))) + " " + count;
  const int filled = total > 0 ? bar * done / total : 0;
  return fmt::format("{} [{:=<{}}{: <{}}] {}", shortened(what, static_cast<std::size_t>(room - kFrame - bar)),
                     "", filled, "", bar - filled, count);
}

}  // namespace

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
  // Work that ends within a second needs no report.
  if (since_start < 1.0 || duration<double>(now - last_).count() < (is_terminal_ ? 0.1 : 2.0)) return;
  last_ = now;
  drawn_ = true;
  if (!is_terminal_) {
    std::fputs(fmt::format("{}: {} of {}, {:.0f} s\n", what_, done, total, since_start).c_str(), stderr);
    return;
  }
  const int columns = terminal_columns(STDERR_FILENO).value_or(80);
  std::fputs(("\r" + progress_line(what_, done, total, columns) + "\033[K").c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace tensordsl::cli
