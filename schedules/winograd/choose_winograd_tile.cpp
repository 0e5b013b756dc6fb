#include "schedules/winograd/choose_winograd_tile.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "schedules/support/ceil_div.h"
#include "schedules/window/choose_tile.h"

namespace tensordsl::schedules {
namespace {

using definitions::WinogradTile;

int points_of(const WinogradTile& tile) { return (tile.size + 2) * (tile.size + 2); }

/// Costs of a vector in multiply-adds of vectors: from the unit's second-level cache, from the cache after
/// it, and from memory.
struct VectorCosts {
  double near = 0, far = 0, memory = 0;
};
VectorCosts vector_costs(const Target& target) {
  const auto cost = [&](double bytes_per_clock) {
    return sizeof(float) / bytes_per_clock * target.unit.multiply_adds;
  };
  return {cost(target.unit.cache_bytes), cost(target.unit.shared_bytes), cost(target.unit.memory_bytes)};
}

/// Costs of a tile in multiply-adds of vectors, for each vector of input channels and of output channels.
struct TransformCosts {
  double input = 0, output = 0;
};

// Counts what the transforms do, in two passes, one for each dimension. The rows of F(2x2)'s B^T subtract two
// numbers and those of A^T add three; F(4x4)'s multiply and add up to four, and up to five. An input tile has
// size*size pixels that its neighbors do not read; they come from beyond the unit's caches. The others, the
// points, and the sums of the products are in its second-level cache; storing there fetches the line first.
TransformCosts transform_costs(const WinogradTile& tile, const VectorCosts& vector) {
  const double size = tile.size, points = points_of(tile), pixels = size * size;
  const double of_input = tile.size == 2 ? 1 : 3, of_output = tile.size == 2 ? 2 : 4;
  const double input = pixels * vector.far + (points - pixels) * vector.near + 2 * points * vector.near +
                       2 * points * of_input;
  const double output =
      points * vector.near + of_output * (size * (size + 2) + pixels) + 2 * pixels * vector.near;
  return {input, output};
}

// The least speedup that pays: Winograd is less exact, and its weights take 16/9 or 4 times the memory.
constexpr double kLeastGain = 1.15;
constexpr int kMostVectors = 4;

/// The sums and the vectors of weights are in registers.
bool fits_registers(const WinogradTile& tile, const Target& target) {
  return (tile.rows * tile.columns + 1) * tile.vectors <= target.accumulators + 4;
}

/// Returns the cost of a step of a tile in registers: vp multiply-adds and v + p loads, of which the
/// processor starts as many at a time. They overlap in part, and take the root of the sum of squares.
double cost_of_step(int vectors, int places) {
  return std::hypot(static_cast<double>(vectors) * places, static_cast<double>(vectors) + places);
}

/// Returns the cost of one point and input channel: that of the step, unless the weights take longer to come.
double winograd_step_cost(const WinogradProblem& problem, const WinogradTile& tile, const Target& target) {
  const double panel = points_of(tile) * static_cast<double>(problem.inputs) * tile.vectors *
                       target.vector_width * sizeof(float);
  const VectorCosts vector = vector_costs(target);
  const double line = panel <= static_cast<double>(target.unit_cache_bytes) ? vector.near : vector.far;
  return std::max(cost_of_step(tile.vectors, tile.rows * tile.columns), line * tile.vectors);
}

/// Returns the cost of reading the weights of that many taps from memory.
double cost_of_weights(const WinogradProblem& problem, int taps, const Target& target) {
  return static_cast<double>(problem.inputs * problem.outputs) * taps / target.vector_width *
         vector_costs(target).memory;
}

double winograd_tile_cost(const WinogradProblem& problem, const WinogradTile& tile, const Target& target) {
  const auto tiles = [&](std::int64_t extent, int of_block) {
    return ceil_div(ceil_div(extent, tile.size), of_block) * of_block;
  };
  const int lanes = target.vector_width;
  const std::int64_t panels = ceil_div(problem.outputs, std::int64_t{tile.vectors} * lanes);
  const auto inputs = static_cast<double>(problem.inputs);
  const TransformCosts transforms = transform_costs(tile, vector_costs(target));
  const double each =
      points_of(tile) * inputs * winograd_step_cost(problem, tile, target) / (tile.rows * tile.columns) +
      tile.vectors * transforms.output + inputs / lanes * transforms.input;
  return static_cast<double>(tiles(problem.rows, tile.rows) * tiles(problem.columns, tile.columns) * panels) *
             each +
         cost_of_weights(problem, points_of(tile), target);
}

/// Returns the cost of the direct convolution in the tile that is chosen for it.
double direct_cost(const WinogradProblem& problem, const Target& target) {
  constexpr int kTaps = 9;
  const TileProblem direct{problem.outputs, problem.columns, problem.rows, kTaps * problem.inputs};
  const Tile tile = choose_tile(direct, target);
  const std::int64_t tiles =
      ceil_div(problem.outputs, tile.channels()) * ceil_div(problem.columns, tile.pixels) * problem.rows;
  return static_cast<double>(tiles * direct.steps) * cost_of_step(tile.vectors, tile.pixels) +
         cost_of_weights(problem, kTaps, target);
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
  const double direct = direct_cost(problem, target);
  std::vector<WinogradChoice> choices;
  for (const int size : {2, 4}) {
    WinogradChoice best{{}, direct - direct / kLeastGain};
    bool has_any = false;
    const auto consider = [&](const WinogradTile& tile) {
      if (!fits_registers(tile, target) || problem.outputs % (tile.vectors * lanes) != 0) return;
      const double saved = direct - winograd_tile_cost(problem, tile, target);
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
