// Elements at equal distances along a dimension.
#pragma once

#include <vector>

#include "predict/repetitions.h"

namespace tensordsl::outline {

/// Runs of elements, at equal distances.
struct Gaps {
  double run = 1, stride = 1, count = 1;

  double elements() const { return run * count; }
};

/// Returns the runs of elements that loops with those steps reach; one run if there is no such order.
Gaps gaps_of(std::vector<predict::Repetition> steps);

}  // namespace tensordsl::outline
