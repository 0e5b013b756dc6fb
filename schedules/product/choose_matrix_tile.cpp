#include "schedules/product/choose_matrix_tile.h"

#include <algorithm>
#include <cmath>

#include "schedules/support/ceil_div.h"

namespace tensordsl::schedules {
namespace {

constexpr int kWarpLanes = 32, kHalfBytes = 2;
/// Unused elements after each row of a tile, so that rows are in different banks.
constexpr int kGap = 8;

std::int64_t matrix_tile_places(const StagedProblem& problem, const MatrixProductTile& tile) {
  const std::int64_t rows = (tile.row_warps - 1) * problem.row_stride + 1;
  return rows * ((tile.columns() - 1) * problem.stride + 1);
}

std::int64_t matrix_local_bytes(const StagedProblem& problem, const MatrixProductTile& tile) {
  return kHalfBytes * (matrix_tile_places(problem, tile) + tile.channels()) * (tile.depth + kGap) *
         tile.buffers;
}

/// Bytes that a work-group reads for a chunk.
std::int64_t matrix_chunk_bytes(const StagedProblem& problem, const MatrixProductTile& tile) {
  return kHalfBytes * (matrix_tile_places(problem, tile) + tile.channels()) * tile.depth;
}

/// Work-groups that a unit runs side by side.
std::int64_t side_by_side(const StagedProblem& problem, const MatrixProductTile& tile, const Target& target) {
  constexpr int kMostWarps = 48, kMostGroups = 32, kOthers = 48;
  constexpr double kUnitTiles = 4.7;  // a unit has more local memory than one work-group may take
  const std::int64_t items = std::int64_t{kWarpLanes} * tile.warps();
  const std::int64_t kept = tile.buffers == 2 ? matrix_chunk_bytes(problem, tile) / (4 * items) : 0;
  const std::int64_t registers =
      4 * tile.row_tiles * tile.column_tiles + 8 * tile.row_tiles + 4 * tile.column_tiles + kOthers + kept;
  const double tiles = kUnitTiles * static_cast<double>(target.local_bytes) /
                       static_cast<double>(std::max<std::int64_t>(1, matrix_local_bytes(problem, tile)));
  return std::max<std::int64_t>(
      1, std::min({std::int64_t{kMostWarps / tile.warps()}, std::int64_t{kMostGroups},
                   target.registers_per_unit / (registers * items), static_cast<std::int64_t>(tiles)}));
}

// The constants are fitted to 1730 configurations of nine products and convolutions on NVIDIA's H100; of
// those that are within 60 % of the best, this predicts the time with an error of 9 % (root of the mean
// square of the logarithm).
/// Estimates the clocks of chunks that wait for their reads and compute one after the other, of the resources
/// that groups on one unit share, and of the memory that all groups share.
double matrix_tile_cost(const StagedProblem& problem, const MatrixProductTile& tile, const Target& target) {
  constexpr double kLatency = 966, kPrefetched = 0.616, kIssue = 6.95, kWarp = 27.4;
  constexpr double kReadBytes = 108, kLocalBytes = 425, kProduct = 4.82, kMemoryBytes = 29, kHiding = 2.77;
  const auto together = [](double a, double b) {
    return std::pow(std::pow(a, kHiding) + std::pow(b, kHiding), 1 / kHiding);
  };
  const std::int64_t groups = ceil_div(problem.channels, tile.channels()) *
                              ceil_div(problem.pixels, tile.columns()) *
                              ceil_div(problem.rows, tile.row_warps) * problem.others;
  const auto of_unit = static_cast<double>(ceil_div(groups, target.compute_units));
  const double beside = std::min(static_cast<double>(side_by_side(problem, tile, target)), of_unit);
  const double chunks = static_cast<double>(problem.depth / tile.depth * problem.taps);
  const double steps = tile.depth / 16.0, warps = tile.warps();
  const double reads = 4.0 * tile.row_tiles + 2.0 * tile.column_tiles,
               products = tile.row_tiles * tile.column_tiles;
  const auto bytes = static_cast<double>(matrix_chunk_bytes(problem, tile));
  const double alone =
      kLatency * (tile.buffers == 2 ? kPrefetched : 1) + steps * kIssue * (reads + products) + kWarp * warps;
  const double shared = bytes / kReadBytes + (steps * warps * reads * kWarpLanes * 4 + bytes) / kLocalBytes +
                        kProduct * steps * products * warps;
  const double all = static_cast<double>(groups) * chunks * bytes / kMemoryBytes / target.compute_units;
  return together(of_unit / beside * chunks * together(alone, beside * shared), all);
}

}  // namespace

bool fits(const StagedProblem& problem, const MatrixProductTile& tile, const Target& target) {
  constexpr int kMostWarps = 8;
  const bool is_whole = problem.depth % tile.depth == 0 && tile.depth % 16 == 0;
  return is_whole && tile.columns() <= problem.pixels && tile.channels() <= problem.channels &&
         tile.row_warps <= problem.rows && tile.warps() <= kMostWarps &&
         tile.row_tiles * tile.column_tiles <= 16 && matrix_local_bytes(problem, tile) <= target.local_bytes;
}

std::optional<MatrixProductTile> choose_matrix_tile(const StagedProblem& problem, const Target& target) {
  if (problem.window != 1) return std::nullopt;
  std::optional<MatrixProductTile> best;
  double least = 0;
  MatrixProductTile tile;
  for (tile.row_tiles = 1; tile.row_tiles <= 4; ++tile.row_tiles) {
    for (tile.column_tiles = 1; tile.column_tiles <= 8; tile.column_tiles *= 2) {
      for (tile.pixel_warps = 1; tile.pixel_warps <= 4; tile.pixel_warps *= 2) {
        for (tile.channel_warps = 1; tile.channel_warps <= 4; tile.channel_warps *= 2) {
          for (tile.row_warps = 1; tile.row_warps <= 8; tile.row_warps *= 2) {
            for (const int depth : {16, 32, 64, 128, 256}) {
              tile.depth = depth;
              for (tile.buffers = 1; tile.buffers <= 2; ++tile.buffers) {
                if (!fits(problem, tile, target)) continue;
                const double cost = matrix_tile_cost(problem, tile, target);
                if (best && cost >= least) continue;
                best = tile;
                least = cost;
              }
            }
          }
        }
      }
    }
  }
  return best;
}

}  // namespace tensordsl::schedules
