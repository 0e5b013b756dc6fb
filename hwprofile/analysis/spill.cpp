#include "hwprofile/analysis/spill.h"

#include <algorithm>
#include <cmath>

#include "hwprofile/analysis/hierarchy.h"

namespace tensordsl::hwprofile {

std::optional<Measurement> find_spill(const Sweep& values) {
  const auto levels = find_levels(values);
  return levels.size() < 2 ? std::nullopt : std::optional(levels.front().capacity);
}

std::vector<double> value_counts(const std::optional<Measurement>& spill) {
  constexpr int kMaxRegisters = 320;
  std::vector<double> counts{16, 20, 24, 28};
  for (int count = 32; count <= kMaxRegisters; count += count < 128 ? 8 : 16) counts.push_back(count);
  if (spill) {
    const double reach = std::max(8.0, spill->value / 8), step = std::max(1.0, std::floor(reach / 16));
    for (double count = std::floor(spill->value - reach); count <= spill->value + reach; count += step) {
      if (count >= counts.front()) counts.push_back(count);
    }
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

}  // namespace tensordsl::hwprofile
