#include "outline/gaps.h"

#include <algorithm>

namespace tensordsl::outline {

Gaps gaps_of(std::vector<predict::Repetition> steps) {
  std::ranges::sort(steps, {}, &predict::Repetition::bytes);
  Gaps gaps;
  double range = 1;
  for (const auto& [times, step] : steps) {
    range += (times - 1) * step;
    if (gaps.count == 1 && step <= gaps.run) {
      gaps.run += (times - 1) * step;
    } else if (gaps.count == 1) {
      gaps.stride = step;
      gaps.count = times;
    } else if (step == gaps.stride * gaps.count) {
      gaps.count *= times;
    } else {
      gaps.stride = -1;  // another order
    }
  }
  return gaps.stride > 0 ? gaps : Gaps{range, 1, 1};
}

}  // namespace tensordsl::outline
