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

// Estimates the clocks. The constants are fitted to 547 configurations of thirteen products and convolutions
// on NVIDIA's H100, whose times this predicts with an error of 11 % (root of the mean square of the
// logarithm). The waits of a group are hidden by the work of the other groups on its unit, the better the
// more there are.
double cost_of(const StagedProblem& problem, const StagedTile& tile, const Target& target) {
  constexpr int kWarp = 32, kMostItems = 2048, kMostGroups = 32, kUnitTiles = 4;
  constexpr double kChunkLatency = 545, kReadLatency = 234, kIssueLatency = 1.48, kUnrolledLatency = 0.67;
  constexpr double kUnitMultiply = 0.156, kUnitRead = 1.93, kUnitBytes = 79, kHiding = 1.75;
  constexpr double kExposedRead = 400;  // where a group does not compute while it reads
  const std::int64_t groups = ceil_div(problem.channels, tile.channels()) *
                              ceil_div(problem.pixels, tile.columns()) *
                              ceil_div(problem.rows, tile.row_threads) * problem.others;
  const std::int64_t warps = ceil_div(tile.items(), kWarp), items = warps * kWarp;
  // A unit has more local memory than one work-group may take.
  const std::int64_t most_side_by_side =
      std::max<std::int64_t>(1, std::min({kMostItems / items, std::int64_t{kMostGroups},
                                          target.registers_per_unit / (items * registers_of(tile)),
                                          kUnitTiles * target.local_bytes / local_bytes(problem, tile)}));
  const std::int64_t of_unit = ceil_div(groups, target.compute_units),
                     side_by_side = std::min(most_side_by_side, of_unit);
  // Costs for one group and one chunk: four steps at a time, each work-item reads vectors and multiplies
  // them.
  const double chunks = static_cast<double>(problem.taps * problem.depth / tile.depth);
  const double quads = static_cast<double>(chunk_steps(problem, tile)) / tile.slices / kVectorLanes;
  const double multiplies = kVectorLanes * kVectorLanes * tile.vectors * tile.pixels,
               reads = tile.pixels + kVectorLanes * tile.vectors;
  const bool is_beside = tile.buffers > 1, is_unrolled = tile.unrolled > kVectorLanes;
  const double latency =
      kChunkLatency + (is_beside ? 0 : kReadLatency) +
      quads * kIssueLatency * (is_unrolled ? kUnrolledLatency : 1) * (multiplies + 2 * reads);
  const double work = static_cast<double>(warps) * quads * (kUnitMultiply * multiplies + kUnitRead * reads) +
                      static_cast<double>(chunk_bytes(problem, tile)) / kUnitBytes;
  const auto time = [&](std::int64_t count) {
    if (count == 0) return 0.0;
    const double exposed = is_beside ? 0 : kExposedRead / static_cast<double>(count);
    return exposed +
           std::pow(std::pow(latency, kHiding) + std::pow(static_cast<double>(count) * work, kHiding),
                    1 / kHiding);
  };
  return chunks *
         (static_cast<double>(of_unit / side_by_side) * time(side_by_side) + time(of_unit % side_by_side));
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
