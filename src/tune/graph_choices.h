// Kernels with an alternative, and the kernels of that -> which of the two is faster, by measured times: a
// convolution by Winograd's algorithm or not, a window that slides over a sum or two kernels, an attention or
// the kernels of its parts.
// Needs: the graph as its own estimates fuse it, and the graph with everything unfused that can be.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tune/model_variant.h"

namespace tensordsl::tune {

/// True if the unfused kernels are faster by more than the noise of two measurements.
bool pays_apart(double apart_us, double whole_us);

/// True if any of the kernels can be computed otherwise.
bool has_alternatives(const ModelVariant& whole);

/// A kernel, and the time of its parts including their further launches.
struct GraphChoice {
  records::KernelKey key;  ///< graph/schedule/group_key.h
  std::string operators;
  double apart_us = 0, whole_us = 0;

  bool is_apart() const { return pays_apart(apart_us, whole_us); }
};

/// Returns the choices in the order of the kernels; only those whose two times are both known. `us_of`:
/// returns the time of the fastest schedule of a kernel, by the structure of its key.
std::vector<GraphChoice> graph_choices(
    const ModelVariant& whole, const ModelVariant& apart, double launch_us,
    const std::function<std::optional<double>(const std::string& structure)>& us_of);

}  // namespace tensordsl::tune
