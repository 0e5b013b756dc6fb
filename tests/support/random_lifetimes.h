// Random sets of lifetimes.
#pragma once

#include <random>
#include <vector>

#include "graph/memory/lifetimes.h"

namespace tensordsl::testing {

/// Draws lifetimes like those of networks: most are short, some long; sizes are often equal.
inline std::vector<graph::Lifetime> random_lifetimes(std::mt19937& random, std::size_t count) {
  const auto below = [&](std::size_t end) { return static_cast<int>(random() % end); };
  std::vector<graph::Lifetime> lives;
  for (std::size_t i = 0; i < count; ++i) {
    const int first = below(count + 1), length = below(4) == 0 ? below(count + 1) : below(4);
    const std::int64_t bytes = below(3) == 0 ? below(5000) : std::int64_t{1024} << below(8);
    lives.push_back({bytes, first, first + length});
  }
  return lives;
}

}  // namespace tensordsl::testing
