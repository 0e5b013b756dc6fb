#include "schedules/winograd/choose_winograd_tile.h"

#include <algorithm>
#include <functional>

#include "schedules/support/ceil_div.h"

namespace tensordsl::schedules {
namespace {

using definitions::WinogradTile;

/// Costs in multiply-adds of vectors, measured with PoCL on AVX-512: of a tile for each vector of input
/// channels (loads, additions, stores, rows of the picture that no cache holds), and for each vector of
/// output channels.
struct TransformCosts {
  double input = 0, output = 0;
};
TransformCosts transform_costs(int size) {
  return size == 2 ? TransformCosts{400, 73} : TransformCosts{900, 200};
}

int points_of(const WinogradTile& tile) { return (tile.size + 2) * (tile.size + 2); }

// The cost of loading a vector of weights from the second-level cache, which holds that many bytes of them,
// and from memory.
constexpr double kNearLine = 4, kFarLine = 10, kPanelBytes = 1 << 20;
// The cost of reading a byte of weights from memory: 20 GB/s against 11 G multiply-adds of vectors a second.
constexpr double kWeightByte = 0.55;
// The share of a core's peak multiply-adds that the direct convolution reaches.
constexpr double kDirectShare = 0.9;
// The least speedup that pays: Winograd is less exact, and its weights take 16/9 or 4 times the memory.
constexpr double kLeastGain = 1.15;
constexpr int kMostVectors = 4;

/// The sums and the vectors of weights are in registers.
bool fits_registers(const WinogradTile& tile, const Target& target) {
  return (tile.rows * tile.columns + 1) * tile.vectors <= target.accumulators + 4;
}

/// Returns the cost of one point and input channel: the multiply-adds of all tiles, unless loads take longer.
double winograd_step_cost(const WinogradProblem& problem, const WinogradTile& tile, int lanes) {
  const double tiles = tile.rows * tile.columns, vectors = tile.vectors;
  const double panel =
      points_of(tile) * static_cast<double>(problem.inputs) * vectors * lanes * sizeof(float);
  const double line = panel <= kPanelBytes ? kNearLine : kFarLine;
  return std::max({tiles * vectors, tiles + vectors, line * vectors}) + 0.1 * (tiles + vectors);
}

double cost_of_weights(const WinogradProblem& problem, int taps) {
  return static_cast<double>(problem.inputs * problem.outputs) * taps * sizeof(float) * kWeightByte;
}

double winograd_tile_cost(const WinogradProblem& problem, const WinogradTile& tile, int lanes) {
  const auto tiles = [&](std::int64_t extent, int of_block) {
    return ceil_div(ceil_div(extent, tile.size), of_block) * of_block;
  };
  const std::int64_t panels = ceil_div(problem.outputs, std::int64_t{tile.vectors} * lanes);
  const auto inputs = static_cast<double>(problem.inputs);
  const TransformCosts transforms = transform_costs(tile.size);
  const double each =
      points_of(tile) * inputs * winograd_step_cost(problem, tile, lanes) / (tile.rows * tile.columns) +
      tile.vectors * transforms.output + inputs / lanes * transforms.input;
  return static_cast<double>(tiles(problem.rows, tile.rows) * tiles(problem.columns, tile.columns) * panels) *
             each +
         cost_of_weights(problem, points_of(tile));
}

double direct_cost(const WinogradProblem& problem, int lanes) {
  const auto products =
      static_cast<double>(problem.inputs * problem.outputs * problem.rows * problem.columns);
  return 9 * products / lanes / kDirectShare + cost_of_weights(problem, 9);
}

}  // namespace

int winograd_inputs(std::int64_t inputs, const WinogradTile& tile, const Target& target) {
  const std::int64_t floats = std::int64_t{points_of(tile)} * tile.rows * tile.columns;
  const std::int64_t most = target.unit_cache_bytes / (floats * static_cast<std::int64_t>(sizeof(float)));
  int best = target.vector_width;
  for (int count = best; count <= std::min(most, inputs); count += target.vector_width) {
    if (inputs % count == 0) best = count;
  }
  return best;
}

std::vector<WinogradChoice> winograd_choices(const WinogradProblem& problem, const Target& target) {
  const int lanes = target.vector_width;
  if (problem.inputs % lanes != 0 || problem.outputs % lanes != 0) return {};
  const double direct = direct_cost(problem, lanes);
  std::vector<WinogradChoice> choices;
  for (const int size : {2, 4}) {
    WinogradChoice best{{}, direct - direct / kLeastGain};
    bool has_any = false;
    const auto consider = [&](const WinogradTile& tile) {
      if (!fits_registers(tile, target) || problem.outputs % (tile.vectors * lanes) != 0) return;
      const double saved = direct - winograd_tile_cost(problem, tile, lanes);
      if (saved <= best.saved) return;
      best = {tile, saved};
      has_any = true;
    };
    const std::int64_t rows = ceil_div(problem.rows, size), columns = ceil_div(problem.columns, size);
    for (int of_rows = 1; of_rows <= 2 && of_rows <= rows; ++of_rows) {
      for (int of_columns = 1; of_columns <= columns && fits_registers({of_rows, of_columns, 1}, target);
           ++of_columns) {
        for (int vectors = 1; vectors <= kMostVectors; ++vectors)
          consider({of_rows, of_columns, vectors, size});
      }
    }
    if (has_any) choices.push_back(best);
  }
  std::ranges::stable_sort(choices, std::greater(), &WinogradChoice::saved);
  return choices;
}

}  // namespace tensordsl::schedules
