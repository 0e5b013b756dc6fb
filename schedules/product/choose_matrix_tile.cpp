#include "schedules/product/choose_matrix_tile.h"

#include <algorithm>
#include <cmath>

#include "schedules/support/ceil_div.h"

namespace tensordsl::schedules {
namespace {

/// Work-items of a sub-group, and the multiply-adds of one of its instructions: 16 x 8 sums of 16 steps.
constexpr int kWarpLanes = 32, kProductDepth = 16, kProductMultiplies = 16 * 8 * kProductDepth;
constexpr int kHalfBytes = 2, kWordBytes = 4;
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

/// Work-groups that a unit runs side by side. The registers of a work-item are sums, factors, what it has
/// read for the next chunk, and addresses.
std::int64_t matrix_groups_beside(const StagedProblem& problem, const MatrixProductTile& tile,
                                  const Target& target) {
  constexpr int kAddresses = 48;
  constexpr int kUnitTiles = 4;  // a unit has more local memory than one work-group may take
  const std::int64_t items = std::int64_t{kWarpLanes} * tile.warps();
  const std::int64_t kept = tile.buffers == 2 ? matrix_chunk_bytes(problem, tile) / (kWordBytes * items) : 0;
  const std::int64_t registers =
      4 * tile.row_tiles * tile.column_tiles + 8 * tile.row_tiles + 4 * tile.column_tiles + kAddresses + kept;
  return std::max<std::int64_t>(
      1, std::min({target.unit.most_items / items, std::int64_t{target.unit.most_groups},
                   target.registers_per_unit / (registers * items),
                   kUnitTiles * target.local_bytes /
                       std::max<std::int64_t>(1, matrix_local_bytes(problem, tile))}));
}

// Estimates the clocks of chunks that wait for their reads and compute one after the other, of the resources
// that groups on one unit share, and of the cache that all units share. What overlaps in part takes the root
// of the sum of squares, which is between the larger and the sum.
//
// A step of a sub-group reads four words of a work-item for each tile of rows and two for each tile of
// columns, and has an instruction for each product. By itself a sub-group has one of the parts of the unit
// that start instructions, and the part's share of local memory and of the matrix units. Sub-groups of a
// group that meet at a barrier arrive one after the other. Without a second tile in local memory, the reads
// of a chunk begin only when all have computed the one before, and the wait for them counts twice.
double matrix_tile_cost(const StagedProblem& problem, const MatrixProductTile& tile, const Target& target) {
  const UnitRates& unit = target.unit;
  const std::int64_t groups = ceil_div(problem.channels, tile.channels()) *
                              ceil_div(problem.pixels, tile.columns()) *
                              ceil_div(problem.rows, tile.row_warps) * problem.others;
  const auto of_unit = static_cast<double>(ceil_div(groups, target.compute_units));
  const double beside = std::min(static_cast<double>(matrix_groups_beside(problem, tile, target)), of_unit);
  const double chunks = static_cast<double>(problem.depth / tile.depth * problem.taps);
  const double steps = static_cast<double>(tile.depth) / kProductDepth, warps = tile.warps();
  const double words = 4.0 * tile.row_tiles + 2.0 * tile.column_tiles;
  const double reads = words * kWarpLanes * kWordBytes / unit.local_bytes,
               products = tile.row_tiles * tile.column_tiles * kProductMultiplies / unit.matrix_multiply_adds;
  const auto bytes = static_cast<double>(matrix_chunk_bytes(problem, tile));
  const double parts = unit.multiply_adds / kWarpLanes;
  const double alone = unit.memory_wait * (tile.buffers == 2 ? 1 : 2) +
                       steps * (unit.local_wait + parts * (reads + products)) + unit.local_wait +
                       (2 + warps) * unit.barrier_wait;
  const double shared =
      bytes * (1 / unit.cache_bytes + 1 / unit.local_bytes) + steps * warps * std::hypot(reads, products);
  const double all = static_cast<double>(groups) * chunks * bytes / unit.shared_bytes / target.compute_units;
  return std::hypot(of_unit / beside * chunks * std::hypot(alone, beside * shared), all);
}

}  // namespace

bool fits(const StagedProblem& problem, const MatrixProductTile& tile, const Target& target) {
  constexpr int kMostWarps = 8;
  const bool is_whole = problem.depth % tile.depth == 0 && tile.depth % kProductDepth == 0;
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
