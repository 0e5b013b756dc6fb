// Outlines of schedules beside their lowered kernels: how near the price of what was not lowered is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tensordsl::bench {

struct OutlineOptions {
  std::vector<std::string> models;  ///< ONNX files
  std::string profile;              ///< a file or a bundled one
  int points = 20;                  ///< random configurations of each strategy of each kernel
  bool prints_all = false;          ///< a line for each configuration
};

/// Prints, for each model and strategy, quotients of what the outline says and what the lowered kernel's text
/// says: of the price, and of each of its parts. Returns the exit status.
int run_outlines(const OutlineOptions& options);

}  // namespace tensordsl::bench
