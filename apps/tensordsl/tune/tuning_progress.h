// Shows the progress of trials: a line that changes on a terminal, lines elsewhere, both on stderr.
#pragma once

#include <chrono>

#include "tensordsl/autoschedule.h"

namespace tensordsl::cli {

class TuningProgressLine {
 public:
  TuningProgressLine();
  ~TuningProgressLine();
  TuningProgressLine(const TuningProgressLine&) = delete;
  TuningProgressLine& operator=(const TuningProgressLine&) = delete;

  void update(const TuningProgress& progress);

 private:
  bool is_terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point started_, last_;
};

}  // namespace tensordsl::cli
