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

/// What is told while cases run. All numbers are indices of cases.
struct Listener {
  /// What comes next is about these alone: if the process ends, one of them did it.
  std::function<void(const std::vector<std::size_t>&)> begin;
  std::function<void(std::size_t, const Result&)> result;
};

struct Job {
  std::size_t number = 0;  ///< of the case
  bool alone = false;      ///< in an OpenCL program of its own
};

/// Runs all jobs; `kernels` is about how many an OpenCL program has. A batch that fails, and a case with wrong
/// values, runs once more by itself. Errors are results.
void run_cases(const std::vector<Case>& cases, const std::vector<Job>& jobs, std::size_t kernels,
               Device& device, const Listener& listener);

}  // namespace tensordsl::conformance
