// Cases on a device, a batch at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "onnx_data/case.h"
#include "onnx_data/result.h"
#include "tensordsl/device.h"

namespace tensordsl::conformance {

/// Callbacks while cases run. All numbers are indices of cases.
struct Listener {
  /// Announces the cases that are worked on next: if the process ends, one of these was the cause.
  std::function<void(const std::vector<std::size_t>&)> begin;
  std::function<void(std::size_t, const Result&)> result;
};

struct Job {
  std::size_t number = 0;  ///< of the case
  std::size_t batch = 0;   ///< jobs of one batch, which are neighbors, share an OpenCL program
  bool alone = false;      ///< this one has its own
};

/// Runs all jobs. The cases of a batch that fails, and a case with wrong values, run once more by themselves.
/// Errors are results.
void run_cases(const std::vector<Case>& cases, const std::vector<Job>& jobs, Device& device,
               const Listener& listener);

}  // namespace tensordsl::conformance
