// The schedules that compile takes beside the cheapest ones that a wide search finds.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::bench {

struct ChoiceOptions {
  std::vector<std::string> models;  ///< ONNX files
  std::string profile;              ///< a file or a bundled one
  int points = 200;                 ///< random configurations of each strategy of each kernel
  bool prints_all = false;          ///< a line for each kernel
};

/// Prints, for each model, the price of the schedules that compile takes over that of the cheapest ones that
/// a search finds: it takes random configurations of each strategy that applies, and descends from the
/// cheapest of them, knob by knob. Launches count. Returns the exit status.
int run_choices(const ChoiceOptions& options);

}  // namespace tensordsl::bench
