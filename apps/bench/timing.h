// Medians of repeated runs.
#pragma once

#include <vector>

#include "tensordsl/pipeline.h"

namespace tensordsl::bench {

double median(std::vector<double> values);
/// Seconds that all kernels of one run take on the device: the median of at least `runs` runs and of 0.3 s,
/// after two to warm up.
double seconds_of(Runner& pipeline, int runs = 9);

/// Values between -0.5 and 0.5 that repeat late and on no power of two.
Buffer test_data(std::vector<std::int64_t> shape, int seed);

}  // namespace tensordsl::bench
