// Pipelines of Halide's own repository, compared with Halide on the same OpenCL driver.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::bench {

struct HalideOptions {
  std::vector<std::string> pipelines;  ///< "blur"; all if none is named
  int scale = 1;                       ///< divides the sizes
  int trials_of_kernel = 0;            ///< trials for each kernel of these schedules; 0: the untuned default
  int runs = 9;                        ///< timings, each of 20 ms or more
  bool peer = true;                    ///< true if Halide runs for comparison
};

/// Milliseconds of a run whose data stay on the device, the medians of both in turns.
struct HalideResult {
  std::string name;
  std::optional<double> ms, halide_ms;
  std::string halide_schedule;  ///< "app": the schedule in its repository; "anderson2021": the
                                ///< autoscheduler's
  int kernels = 0;
  /// The share of elements in which the two results differ by more than rounding explains.
  double different = 0;
  std::string failure, halide_failure;
};

/// Halide is python3's package `halide`. Each result is compared with Halide's.
std::vector<HalideResult> run_halide(const HalideOptions& options, Device& device,
                                     const std::function<void(const HalideResult&)>& told);

nlohmann::ordered_json to_json(const HalideResult& result);
std::string to_text(const HalideResult& result);
std::string summary_of(const std::vector<HalideResult>& results);

}  // namespace tensordsl::bench
