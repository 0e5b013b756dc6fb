#include "apps/tensordsl/tune/tuning_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "apps/tensordsl/console/terminal.h"
#include "apps/tensordsl/console/text_table.h"
#include "apps/tensordsl/console/time_text.h"

namespace tensordsl::cli {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

std::string minutes_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(0.0, seconds));
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// "124 of 500 trials (2 failed), 1.31 times as fast, 4:10 left: conv_3 25.1 us so far, first 31.0"
std::string progress_text(const TuningProgress& progress, double elapsed) {
  std::string text = fmt::format("{}{} trials", progress.trials,
                                 progress.most_trials ? fmt::format(" of {}", *progress.most_trials) : "");
  if (progress.failures > 0) text += fmt::format(" ({} failed)", progress.failures);
  text += fmt::format(", {:.2f} times as fast", progress.speedup);
  if (progress.time_left) {
    text += fmt::format(", {} left", minutes_text(static_cast<double>(progress.time_left->count()) * 1e-3));
  } else if (progress.most_trials && progress.trials > 0) {
    const auto left = static_cast<double>(*progress.most_trials - progress.trials);
    text += fmt::format(", {} left", minutes_text(elapsed * left / static_cast<double>(progress.trials)));
  }
  text += ": " + progress.kernel;
  if (progress.us) text += fmt::format(" {} us so far", microseconds_text(*progress.us));
  if (progress.first_us) text += ", first " + microseconds_text(*progress.first_us);
  return text;
}

}  // namespace

TuningProgressLine::TuningProgressLine()
    : is_terminal_(isatty(STDERR_FILENO) != 0), started_(steady_clock::now()), last_(started_) {}

TuningProgressLine::~TuningProgressLine() {
  if (drawn_ && is_terminal_) std::fputs("\r\033[K", stderr);
}

void TuningProgressLine::update(const TuningProgress& progress) {
  const auto now = steady_clock::now();
  const double elapsed = duration<double>(now - started_).count();
  // Work that ends within a second needs no report.
  if (elapsed < 1.0 || duration<double>(now - last_).count() < (is_terminal_ ? 0.1 : 5.0)) return;
  last_ = now;
  drawn_ = true;
  const std::string text =
      progress.trials > 0 ? progress_text(progress, elapsed) : "choosing schedules: " + progress.kernel;
  if (!is_terminal_) {
    std::fputs((text + "\n").c_str(), stderr);
    return;
  }
  const auto columns = static_cast<std::size_t>(terminal_columns(STDERR_FILENO).value_or(80));
  std::fputs(("\r" + shortened_in_middle(text, columns - 1) + "\033[K").c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace tensordsl::cli
