#include "schedules/window/choose_sliding_tile.h"

#include <algorithm>

#include "schedules/support/ceil_div.h"
#include "schedules/window/choose_tile.h"

namespace tensordsl::schedules {
namespace {

/// Counts the multiply-adds of vectors in the time in which a vector is stored beyond a core's caches and
/// read again.
double multiplies_of_memory(const Target& target) {
  const double bytes = 2.0 * target.vector_width * static_cast<double>(sizeof(float));
  return bytes / target.unit.shared_bytes * target.unit.multiply_adds / target.vector_width;
}

/// Returns the issue slots of a multiply-add of a tile, in units of one.
double slots_of_multiply(const TileProblem& problem, const Tile& tile) {
  return step_cost(problem, tile) / (tile.vectors * tile.pixels);
}

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
  const TileProblem sums{problem.channels, problem.source_columns, problem.batch * problem.source_rows,
                         problem.steps};
  const Tile sum = choose_tile(sums, target);
  if (problem.channels % sum.channels() != 0) return std::nullopt;
  const TileProblem windows{sum.channels(),       problem.columns,     problem.batch * problem.rows,
                            problem.window_steps, problem.has_weights, false};
  const Tile window = choose_tile(windows, target);
  if (sum.channels() % window.channels() != 0) return std::nullopt;
  // The windows read what the sums leave in a cache, and take as long as before; with many steps for each
  // element their time is their own, and the memory's does not matter. Measured with PoCL on AVX-512, two
  // kernels against one: 1.5 with 3x3 for mobilenet_v2's 112x112x96, 0.9 with 5x5, 0.6 with 7x7, and 1.1 with
  // 7x7 of stride 2.
  const double most = multiplies_of_memory(target);
  const auto each =
      static_cast<double>(problem.window_steps * problem.batch * problem.rows * problem.columns);
  if (each * slots_of_multiply(windows, window) > most * static_cast<double>(pixels)) return std::nullopt;
  const std::int64_t bands = bands_of(problem, target, problem.batch * (problem.channels / sum.channels()));
  const std::int64_t twice = (bands - 1) * std::max<std::int64_t>(0, problem.window_rows - problem.stride);
  const double share = static_cast<double>(twice) / static_cast<double>(problem.source_rows);
  if (share * static_cast<double>(problem.steps) * slots_of_multiply(sums, sum) > most) return std::nullopt;
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
