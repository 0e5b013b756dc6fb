#include "schedules/window/choose_sliding_tile.h"

#include <algorithm>

#include "schedules/support/ceil_div.h"
#include "schedules/window/choose_tile.h"

namespace tensordsl::schedules {
namespace {

// Multiply-adds of vectors in the time in which a vector is stored in memory beyond a core's caches and read
// again. Measured with PoCL on AVX-512, two kernels against one: 1.15 for mobilenet_v2's 112x112x96, 1.0 for
// its 56x56x144, and 0.85 for 14x14x384, which a cache holds. With more window steps for each element the
// memory traffic does not matter: for 112x112x96, 1.5 with 3x3, 0.9 with 5x5, 0.6 with 7x7, and 1.1 with 7x7
// of stride 2.
constexpr double kStepsOfMemory = 16;
// Work-groups for each core, so that none waits for long.
constexpr int kGroupsOfUnit = 4;

/// Returns the fewest bands that still give each core its work-groups.
std::int64_t bands_of(const definitions::SlidingProblem& problem, const Target& target,
                      std::int64_t groups_of_band) {
  const std::int64_t wanted = ceil_div(std::int64_t{kGroupsOfUnit} * target.compute_units, groups_of_band);
  const std::int64_t height = ceil_div(problem.rows, std::clamp<std::int64_t>(wanted, 1, problem.rows));
  return ceil_div(problem.rows, height);
}

}  // namespace

std::optional<definitions::SlidingTile> choose_sliding_tile(const definitions::SlidingProblem& problem,
                                                            const Target& target) {
  const std::int64_t pixels = problem.batch * problem.source_rows * problem.source_columns;
  // Sizes are taken as for f32 even for a tensor stored as f16, which costs conversions both ways.
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(float));
  if (pixels * problem.channels * kBytes < target.unit_cache_bytes) return std::nullopt;
  const auto windows = static_cast<double>(problem.batch * problem.rows * problem.columns);
  if (static_cast<double>(problem.window_steps) * windows > kStepsOfMemory * static_cast<double>(pixels))
    return std::nullopt;
  const Tile sum = choose_tile(
      {problem.channels, problem.source_columns, problem.batch * problem.source_rows, problem.steps}, target);
  if (problem.channels % sum.channels() != 0) return std::nullopt;
  const Tile window = choose_tile({sum.channels(), problem.columns, problem.batch * problem.rows,
                                   problem.window_steps, problem.has_weights, false},
                                  target);
  if (sum.channels() % window.channels() != 0) return std::nullopt;
  const std::int64_t bands = bands_of(problem, target, problem.batch * (problem.channels / sum.channels()));
  const std::int64_t twice = (bands - 1) * std::max<std::int64_t>(0, problem.window_rows - problem.stride);
  const double share = static_cast<double>(twice) / static_cast<double>(problem.source_rows);
  if (share * static_cast<double>(problem.steps) > kStepsOfMemory) return std::nullopt;
  const std::int64_t kept = problem.window_rows * problem.source_columns * sum.channels();
  if (kept * kBytes > target.unit_cache_bytes / 4) return std::nullopt;
  return definitions::SlidingTile{sum.lanes,
                                  sum.vectors,
                                  sum.pixels,
                                  window.lanes,
                                  window.vectors,
                                  window.pixels,
                                  static_cast<int>(bands)};
}

}  // namespace tensordsl::schedules
