#include "schedules/choose_matrix_tile.h"

#include <algorithm>

#include "schedules/ceil_div.h"

namespace tensordsl::schedules {
namespace {

constexpr int kLanes = 32, kHalfBytes = 2;
/// Numbers that are free behind each row of a tile: rows one below the other are then in other banks.
constexpr int kGap = 8;

std::int64_t places(const StagedProblem& problem, const MatrixProductTile& tile) {
  const std::int64_t rows = (tile.row_warps - 1) * problem.row_stride + 1;
  return rows * ((tile.columns() - 1) * problem.stride + 1);
}

std::int64_t local_bytes(const StagedProblem& problem, const MatrixProductTile& tile) {
  return kHalfBytes * (places(problem, tile) + tile.channels()) * (tile.depth + kGap) * tile.buffers;
}

/// Clocks. Each unit does a share of the groups; what a chunk takes is the latency of its reads, hidden by
/// groups side by side, or its products, or the bytes that it moves through local memory.
double cost_of(const StagedProblem& problem, const MatrixProductTile& tile, const Target& target) {
  constexpr double kChunkLatency = 900, kProduct = 2, kReadBytes = 40, kLocalBytes = 128;
  constexpr int kMostWarps = 32, kRegisters = 65536;
  const std::int64_t groups = ceil_div(problem.channels, tile.channels()) *
                              ceil_div(problem.pixels, tile.columns()) *
                              ceil_div(problem.rows, tile.row_warps) * problem.others;
  const std::int64_t chunks = problem.depth / tile.depth * problem.taps;
  const int registers =
      4 * tile.row_tiles * tile.column_tiles + 8 * tile.row_tiles + 4 * tile.column_tiles + 48;
  const std::int64_t side_by_side = std::max<std::int64_t>(
      1, std::min({std::int64_t{kMostWarps / tile.warps()},
                   std::int64_t{kRegisters / (registers * kLanes * tile.warps())},
                   4 * target.local_bytes / std::max<std::int64_t>(1, local_bytes(problem, tile))}));
  const std::int64_t per_unit = ceil_div(groups, target.compute_units);
  const double together = static_cast<double>(std::min(side_by_side, per_unit));
  const double rounds = static_cast<double>(ceil_div(per_unit, side_by_side));
  const double steps = tile.depth / 16.0, warps = tile.warps();
  const double products = kProduct * steps * tile.row_tiles * tile.column_tiles * warps;
  const double read =
      static_cast<double>(kHalfBytes * (places(problem, tile) + tile.channels()) * tile.depth) / kReadBytes;
  const double local =
      steps * warps * (4.0 * tile.row_tiles + 2.0 * tile.column_tiles) * kLanes * 4 / kLocalBytes;
  const double busy = std::max({products, local, read}) * together;
  return rounds * static_cast<double>(chunks) * (tile.buffers == 2 ? std::max(busy, kChunkLatency) : busy + kChunkLatency);
}

}  // namespace

bool fits(const StagedProblem& problem, const MatrixProductTile& tile, const Target& target) {
  constexpr int kMostWarps = 8;
  const bool is_whole = problem.depth % tile.depth == 0 && tile.depth % 16 == 0;
  return is_whole && tile.columns() <= problem.pixels && tile.channels() <= problem.channels &&
         tile.row_warps <= problem.rows && tile.warps() <= kMostWarps &&
         tile.row_tiles * tile.column_tiles <= 16 && local_bytes(problem, tile) <= target.local_bytes;
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
                const double cost = cost_of(problem, tile, target);
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
