#include "schedules/window/choose_tile.h"

#include <algorithm>

#include "schedules/support/ceil_div.h"

namespace tensordsl::schedules {
namespace {

/// Counts the issue slots of one reduction step of a tile, in units of a vector operation: the multiply-adds,
/// as many loads, and all instructions with those of addresses and the loop. Current machines start two
/// multiply-adds, two loads and six instructions in a cycle.
double tile_step_cost(const TileProblem& problem, int vectors, int pixels) {
  const double operations = static_cast<double>(vectors) * pixels;
  const double inputs = problem.broadcasts_input ? pixels : operations;
  const double weights = problem.shares_weights ? vectors : 0;
  const double overhead = 0.5 * pixels + 1;
  return std::max({operations, inputs + weights, (operations + inputs + weights + overhead) / 3});
}

/// Accumulators of a tile. Where each needs inputs of its own, those take as many registers.
int most_accumulators(const TileProblem& problem, const Target& target) {
  const bool has_inputs = target.group_items == 1 && !problem.broadcasts_input;
  return has_inputs ? std::max(1, target.accumulators / 2) : target.accumulators;
}

/// Returns the penalty of a tile of one cache line: memory transfers pairs of neighboring lines, so such a
/// tile is taken only where it saves a sixth of the issue slots. With PoCL on AVX-512, mobilenet_v1's
/// depthwise convolutions take 0.66 ms with 14 pixels of a vector, 0.53 with 7 pixels of two.
double memory_cost(const TileProblem& problem, const Target& target, int channels) {
  constexpr int kLines = 128 / sizeof(float);
  return target.group_items == 1 && !problem.broadcasts_input && channels < kLines ? 1.2 : 1;
}

/// Breaks ties between tiles of equal cost. On a CPU, prefers the tile whose accumulators, one vector of
/// weights each and one of inputs fit in registers, and that has fewer loads and less loop overhead for each
/// multiply-add. With PoCL on AVX-512, products of vit_b16 reach 291, 274 and 271 GFLOPS with 4 vectors x 6
/// pixels, 265, 260 and 248 with 3 x 9; pointwise convolutions of mobilenet_v1 300 with 2 x 14 and 280 with 4
/// x 4. Elsewhere, prefers more pixels, which read weights less often.
bool is_better(const TileProblem& problem, const Target& target, int vectors, int pixels, const Tile& other) {
  if (target.group_items > 1 || !problem.shares_weights || !problem.broadcasts_input)
    return pixels > other.pixels;
  const auto fits = [&](int v, int p) { return v * p + v + 1 <= target.accumulators + 4; };
  const auto overhead = [](int v, int p) { return static_cast<double>(v + p + 4) / (v * p); };
  if (fits(vectors, pixels) != fits(other.vectors, other.pixels)) return fits(vectors, pixels);
  return overhead(vectors, pixels) < overhead(other.vectors, other.pixels);
}

/// True if all weights stay in a core's cache: then the input is read once, in memory order, instead of the
/// weights.
bool keeps_weights(const TileProblem& problem) {
  constexpr std::int64_t kBytes = 256 << 10;
  const std::int64_t weights = problem.steps * (problem.shares_weights ? problem.channels : 0);
  return !problem.broadcasts_input || weights * static_cast<std::int64_t>(sizeof(float)) <= kBytes;
}

/// True if the last tile recomputes few channels, for enough pixels.
bool overlaps_little(const TileProblem& problem, std::int64_t tile) {
  constexpr std::int64_t kFewestPixels = 16, kMostShare = 16;
  const std::int64_t again = ceil_div(problem.channels, tile) * tile - problem.channels;
  return problem.pixels * problem.rows >= kFewestPixels && again * kMostShare <= problem.channels;
}

/// Returns the widest width that divides the channels. If that is less than half of the device's width,
/// returns the one that gives each vector the most channels; the last vector overlaps the one before.
int choose_lanes(std::int64_t channels, int widest) {
  int best = widest;
  while (best > 1 && channels % best != 0) best /= 2;
  if (best * 2 >= widest) return best;
  const auto channels_each = [&](int lanes) {
    return static_cast<double>(channels) / static_cast<double>(ceil_div(channels, lanes));
  };
  for (int lanes = widest; lanes > 1; lanes /= 2) {
    if (lanes <= channels && channels_each(lanes) > channels_each(best)) best = lanes;
  }
  return best;
}

/// Several tiles in one work-group where one is too little work, as long as every compute unit keeps its
/// share.
int choose_serial(const TileProblem& problem, const Target& target, const Tile& tile) {
  const std::int64_t tiles = ceil_div(problem.pixels, tile.pixels);
  const std::int64_t groups = tiles * problem.rows * ceil_div(problem.channels, tile.channels());
  const std::int64_t work = std::max<std::int64_t>(1, problem.steps * tile.vectors * tile.pixels);
  const std::int64_t wanted = ceil_div(target.work_per_group, work);
  const std::int64_t allowed = std::max<std::int64_t>(1, groups / (8 * target.compute_units));
  return static_cast<int>(std::clamp<std::int64_t>(std::min(wanted, allowed), 1, tiles));
}

/// The size in registers, of vectors of `lanes`. `may_overlap`: the last tile may begin earlier and overlap
/// the one before.
Tile size_of_tile(const TileProblem& problem, const Target& target, int lanes, bool may_overlap) {
  Tile best;
  best.lanes = lanes;
  double best_cost = 0;
  const int accumulators = most_accumulators(problem, target);
  for (int vectors = 1; vectors <= 4 && vectors <= accumulators; ++vectors) {
    const std::int64_t channels = static_cast<std::int64_t>(best.lanes) * vectors;
    const bool has_more_vectors =
        ceil_div(problem.channels, channels) * vectors > ceil_div(problem.channels, best.lanes);
    const bool fits = !has_more_vectors || (may_overlap && overlaps_little(problem, channels));
    if (!fits || channels > problem.channels) continue;
    const auto most = std::min<std::int64_t>(accumulators / vectors, problem.pixels);
    for (int pixels = 1; pixels <= most; ++pixels) {
      // Large tiles reuse more, but a device that they do not fill waits for the few work-items there are.
      const double tiles = static_cast<double>(ceil_div(problem.pixels, pixels)) *
                           static_cast<double>(problem.rows) *
                           static_cast<double>(ceil_div(problem.channels, channels));
      const double waves = std::max(1.0, tiles / target.parallel_items);
      const double cost = waves * tile_step_cost(problem, vectors, pixels) *
                          memory_cost(problem, target, static_cast<int>(channels));
      const bool is_less = best_cost == 0 || cost < best_cost * 0.999;
      const bool is_same = !is_less && cost < best_cost * 1.001;
      if (is_less || (is_same && is_better(problem, target, vectors, pixels, best))) {
        best_cost = best_cost == 0 ? cost : std::min(cost, best_cost);
        best.vectors = vectors;
        best.pixels = pixels;
      }
    }
  }
  return best;
}

}  // namespace

double step_cost(const TileProblem& problem, const Tile& tile) {
  return tile_step_cost(problem, tile.vectors, tile.pixels * tile.rows);
}

double cost_of(const TileProblem& problem, const Tile& tile, const Target& target) {
  const double tiles = static_cast<double>(ceil_div(problem.pixels, tile.pixels)) *
                       static_cast<double>(ceil_div(problem.rows, tile.rows)) *
                       static_cast<double>(ceil_div(problem.channels, tile.channels()));
  const double waves = std::max(1.0, tiles / target.parallel_items);
  const int places = tile.pixels * tile.rows;
  // Counts vectors as instructions, or their lanes one by one; spilled values are stored and read again.
  const double instructions = target.group_items > 1 ? tile.lanes : 1;
  const double spilled = std::max(0, tile.vectors * places - target.accumulators);
  const double groups =
      tiles / (static_cast<double>(tile.channel_threads) * tile.pixel_threads * tile.serial);
  const double imbalance = std::max(1.0, target.compute_units / std::max(1.0, groups));
  return waves * imbalance * instructions * (step_cost(problem, tile) + 2 * spilled) *
         memory_cost(problem, target, tile.channels());
}

Tile choose_tile(const TileProblem& problem, const Target& target) {
  Tile best = size_of_tile(problem, target, choose_lanes(problem.channels, target.vector_width),
                           /*may_overlap=*/false);
  // Weights of tiles that overlap do not lie tile by tile, which is slower, but not as slow as vectors that
  // fill half of a register, one to a tile. With PoCL on AVX-512, 1000 channels of 13x13 pixels take 1.55 ms
  // in tiles of 8 x 19 and 1.14 in such of 48 x 5 (of 512; squeezenet1_0), 9.4 and 2.8 of 1024.
  const bool is_narrow = best.vectors == 1 && best.lanes < target.vector_width;
  const bool is_product = problem.shares_weights && problem.broadcasts_input;
  if (target.group_items == 1 && is_narrow && is_product && overlaps_little(problem, target.vector_width))
    best = size_of_tile(problem, target, target.vector_width, /*may_overlap=*/true);
  if (target.group_items == 1) {
    best.serial = choose_serial(problem, target, best);
    best.channels_first = keeps_weights(problem);
    return best;
  }
  const std::int64_t channel_tiles = ceil_div(problem.channels, best.channels());
  const std::int64_t most_threads = std::min<std::int64_t>({channel_tiles, 16, target.group_items});
  while (best.channel_threads * 2 <= most_threads) best.channel_threads *= 2;
  const std::int64_t pixel_tiles = ceil_div(problem.pixels, best.pixels);
  while (best.channel_threads * best.pixel_threads * 2 <= target.group_items &&
         best.pixel_threads < pixel_tiles) {
    best.pixel_threads *= 2;
  }
  return best;
}

}  // namespace tensordsl::schedules
