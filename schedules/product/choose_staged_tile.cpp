#include "schedules/product/choose_staged_tile.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "schedules/support/ceil_div.h"

namespace tensordsl::schedules {
namespace {

constexpr int kVectorLanes = 4;
constexpr std::int64_t kNumberBytes = 4;

/// Returns the number of input positions for which a tile in local memory has a row of `depth` numbers.
std::int64_t staged_tile_places(const StagedProblem& problem, const StagedTile& tile) {
  const auto reach = [](std::int64_t count, std::int64_t stride, std::int64_t window) {
    return (count - 1) * stride + window;
  };
  return reach(tile.row_threads, problem.row_stride, 1) *
         reach(tile.columns(), problem.stride, problem.window);
}

/// Steps of a chunk.
std::int64_t chunk_steps(const StagedProblem& problem, const StagedTile& tile) {
  return tile.depth * problem.window;
}

/// Numbers that a work-group reads for a chunk.
std::int64_t numbers_of_chunk(const StagedProblem& problem, const StagedTile& tile) {
  return staged_tile_places(problem, tile) * tile.depth + chunk_steps(problem, tile) * tile.channels();
}

/// Returns 1, 2, 4, .., and the count that covers `extent` with `unit` at a time.
std::vector<int> counts(std::int64_t extent, int unit, int most) {
  std::vector<int> all;
  const auto whole = static_cast<int>(std::min<std::int64_t>(extent / unit, most));
  for (int count = 1; count <= whole; count *= 2) all.push_back(count);
  if (!all.empty() && all.back() != whole) all.push_back(whole);
  return all;
}

}  // namespace

std::int64_t local_bytes(const StagedProblem& problem, const StagedTile& tile) {
  const int gap = problem.window == 1 ? kVectorLanes : 0;  // as staged_product has it
  const std::int64_t factors =
      staged_tile_places(problem, tile) * (tile.depth + gap) + chunk_steps(problem, tile) * tile.channels();
  const std::int64_t parts =
      tile.slices == 1 ? 0 : std::int64_t{tile.slices} * tile.row_threads * tile.columns() * tile.channels();
  return kNumberBytes * (factors * tile.buffers + parts);
}

std::int64_t chunk_bytes(const StagedProblem& problem, const StagedTile& tile) {
  return kNumberBytes * numbers_of_chunk(problem, tile);
}

// Counts the registers of one work-item: its sums, four steps of its inputs, a step of its weights, and
// addresses.
int registers_of(const StagedTile& tile) {
  constexpr int kAddresses = 40;
  return kVectorLanes * (tile.vectors * tile.pixels + tile.pixels + tile.vectors) + kAddresses;
}

namespace {

/// Work-groups that a unit runs side by side. It has local memory for several of the largest ones.
std::int64_t staged_groups_beside(const StagedProblem& problem, const StagedTile& tile, const Target& target,
                                  std::int64_t items) {
  constexpr int kUnitTiles = 4;  // as the predictions have it, for GPUs with local memory on chip
  return std::max<std::int64_t>(
      1, std::min({target.unit.most_items / items, std::int64_t{target.unit.most_groups},
                   target.registers_per_unit / (items * registers_of(tile)),
                   kUnitTiles * target.local_bytes / local_bytes(problem, tile)}));
}

/// Clocks of one work-group and one chunk.
struct ChunkClocks {
  double alone = 0;    ///< from the first read to the last product, if the group has the unit to itself
  double work = 0;     ///< those in which no other group can do the same
  double exposed = 0;  ///< those during which the group computes nothing: all of it waits
};

/// Counts the instructions of a work-item that bring a chunk to local memory, as the generated text has them.
/// A vector has a test, a branch, two additions to each of two addresses, a read and a store. A chunk has a
/// loop, a barrier, the choice of a half, and addresses in it for both factors.
double fill_instructions(const StagedProblem& problem, const StagedTile& tile) {
  constexpr double kOfVector = 8, kOfChunk = 16;
  const auto vectors_of_item = [&](std::int64_t numbers) {
    return static_cast<double>(ceil_div(numbers, kVectorLanes * tile.items()));
  };
  const double vectors = vectors_of_item(staged_tile_places(problem, tile) * tile.depth) +
                         vectors_of_item(chunk_steps(problem, tile) * tile.channels());
  return kOfVector * vectors + kOfChunk;
}

// Counts what the generated text has for four steps: each work-item reads p + 4v vectors from local memory
// and multiplies them by 16pv multiply-adds, with two instructions for a vector, its address and the read.
// Neighbors of a warp read the same vectors, so that half of the bytes are distinct. Issue and reads overlap
// in part: together they take the root of the sum of squares, which is between the larger and the sum.
ChunkClocks chunk_clocks(const StagedProblem& problem, const StagedTile& tile, const Target& target,
                         std::int64_t warps) {
  const UnitRates& unit = target.unit;
  const double quads = static_cast<double>(chunk_steps(problem, tile)) / tile.slices / kVectorLanes;
  const double multiplies = kVectorLanes * kVectorLanes * tile.vectors * tile.pixels,
               reads = tile.pixels + kVectorLanes * tile.vectors;
  const double read_bytes = reads * unit.warp_items * kVectorLanes * kNumberBytes / 2;
  const double issues = unit.multiply_adds / unit.warp_items;  // instructions of a clock
  const double fill = fill_instructions(problem, tile);
  // A loop that writes out several quads begins with the reads of all of them, which then wait once.
  const double waits = quads * kVectorLanes / tile.unrolled;
  ChunkClocks clocks;
  clocks.alone = unit.memory_wait + quads * (multiplies + 2 * reads) + waits * unit.local_wait + fill;
  clocks.work =
      static_cast<double>(warps) *
          (quads * std::hypot((multiplies + reads) / issues, read_bytes / unit.local_bytes) + fill / issues) +
      static_cast<double>(chunk_bytes(problem, tile)) * (1 / unit.cache_bytes + 1 / unit.local_bytes);
  clocks.exposed = unit.local_wait + 2 * unit.barrier_wait + (tile.buffers > 1 ? 0 : unit.memory_wait);
  return clocks;
}

}  // namespace

// Groups on a unit hide the waits of each other, the better the more there are: what one takes by itself and
// what all of them do together take the root of the sum of squares.
double cost_of(const StagedProblem& problem, const StagedTile& tile, const Target& target) {
  const std::int64_t groups = ceil_div(problem.channels, tile.channels()) *
                              ceil_div(problem.pixels, tile.columns()) *
                              ceil_div(problem.rows, tile.row_threads) * problem.others;
  const std::int64_t warps = ceil_div(tile.items(), target.unit.warp_items);
  const std::int64_t of_unit = ceil_div(groups, target.compute_units);
  const std::int64_t beside =
      std::min(staged_groups_beside(problem, tile, target, warps * target.unit.warp_items), of_unit);
  const double chunks = static_cast<double>(problem.taps * problem.depth / tile.depth);
  const ChunkClocks of_chunk = chunk_clocks(problem, tile, target, warps);
  const auto time = [&](std::int64_t count) {
    if (count == 0) return 0.0;
    const auto sharing = static_cast<double>(count);
    return of_chunk.exposed / sharing + std::hypot(of_chunk.alone, sharing * of_chunk.work);
  };
  return chunks * (static_cast<double>(of_unit / beside) * time(beside) + time(of_unit % beside));
}

// Reads of some steps overlap the products of earlier steps. Measured on the models of PERFORMANCE.md:
// products gain 4 to 12 %, of taps some lose as much.
int unrolled_of(const StagedProblem& problem) {
  constexpr int kOfProduct = 16;
  return problem.taps == 1 && problem.window == 1 ? kOfProduct : kVectorLanes;
}

bool fits(const StagedProblem& problem, const StagedTile& tile, const Target& target) {
  constexpr int kFewestItems = 32;
  return tile.channels() <= problem.channels && tile.columns() <= problem.pixels &&
         tile.row_threads <= problem.rows && problem.depth % tile.depth == 0 &&
         (problem.window > 1 || tile.depth / tile.slices >= kVectorLanes) && tile.items() >= kFewestItems &&
         tile.items() <= target.most_group_items && local_bytes(problem, tile) <= target.local_bytes;
}

std::vector<int> staged_threads(std::int64_t extent, int most_places, int most_threads) {
  std::set<int> all;
  for (int places = 1; places <= most_places; ++places) {
    for (const int threads : counts(extent, places, most_threads)) all.insert(threads);
  }
  if (all.empty()) all.insert(1);
  return {all.begin(), all.end()};
}

std::optional<StagedTile> choose_staged_tile(const StagedProblem& problem, const Target& target) {
  constexpr std::int64_t kFewestChannels = 16, kFewestSteps = 27;
  constexpr int kMostRegisters = 224;
  if (problem.channels < kFewestChannels || problem.depth * problem.window * problem.taps < kFewestSteps)
    return std::nullopt;
  std::optional<StagedTile> best;
  double best_cost = 0;
  StagedTile tile;
  tile.unrolled = unrolled_of(problem);
  const auto consider = [&] {
    if (tile.items() * registers_of(tile) > target.registers_per_unit) return;
    for (tile.buffers = 2; tile.buffers >= 1; --tile.buffers) {
      if (!fits(problem, tile, target)) continue;
      const double cost = cost_of(problem, tile, target);
      if (best && cost >= best_cost) continue;
      best = tile;
      best_cost = cost;
    }
  };
  std::vector<int> depths;
  if (problem.window > 1) {
    depths.push_back(static_cast<int>(problem.depth));
  } else {
    for (int depth = 8; depth <= 128 && problem.depth % depth == 0; depth *= 2) depths.push_back(depth);
  }
  for (const int depth : depths) {
    tile.depth = depth;
    // The chunks of a window are not cut into slices.
    const int most_slices = problem.window > 1 ? 1 : std::min(8, depth / kVectorLanes);
    for (tile.vectors = 1; tile.vectors <= 4; ++tile.vectors) {
      for (const int channel_threads : {4, 6, 8, 12, 16, 24, 32}) {
        tile.channel_threads = channel_threads;
        if (tile.channels() > problem.channels) break;
        for (tile.pixels = 1; tile.pixels <= 8 && registers_of(tile) <= kMostRegisters; ++tile.pixels) {
          for (const int pixel_threads : counts(problem.pixels, tile.pixels, 32)) {
            tile.pixel_threads = pixel_threads;
            for (const int row_threads : counts(problem.rows, 1, 16)) {
              tile.row_threads = row_threads;
              for (tile.slices = 1; tile.slices <= most_slices; tile.slices *= 2) consider();
            }
          }
        }
      }
    }
  }
  return best;
}

}  // namespace tensordsl::schedules
