#include "schedules/choose_winograd_tile.h"

#include <algorithm>

namespace tensordsl::schedules {
namespace {

// In multiply-adds of vectors. Measured with PoCL on AVX-512: what a tile costs for each vector of input
// channels (16 loads, 32 additions, 16 stores, rows of the picture that no cache holds), and for each vector of
// output channels.
constexpr double kInputTransform = 400, kOutputTransform = 73;
// Of the multiply-adds that a core can do, what the direct way reaches.
constexpr double kDirectShare = 0.9;
// What it has to gain, for it computes less exactly and its weights take 16/9 of the memory.
constexpr double kLeastGain = 1.15;
constexpr int kMostVectors = 4;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The sums and the vectors of weights are in registers.
bool fits(int tiles, int vectors, const Target& target) {
  return (tiles + 1) * vectors <= target.accumulators + 4;
}

double cost_of(const WinogradProblem& problem, const WinogradTile& tile, int lanes) {
  const std::int64_t rows = ceil_div(ceil_div(problem.rows, 2), tile.rows) * tile.rows;
  const std::int64_t columns = ceil_div(ceil_div(problem.columns, 2), tile.columns) * tile.columns;
  const std::int64_t panels = ceil_div(problem.outputs, std::int64_t{tile.vectors} * lanes);
  const auto inputs = static_cast<double>(problem.inputs);
  const double each = tile.vectors * (16 * inputs + kOutputTransform) + inputs / lanes * kInputTransform;
  return static_cast<double>(rows * columns * panels) * each;
}

double direct_cost(const WinogradProblem& problem, int lanes) {
  return 9.0 * static_cast<double>(problem.inputs * problem.outputs * problem.rows * problem.columns) /
         lanes / kDirectShare;
}

}  // namespace

int winograd_vectors(int tiles, std::int64_t outputs, const Target& target) {
  int best = 1;
  const auto panels = [&](int vectors) {
    return ceil_div(outputs, std::int64_t{vectors} * target.vector_width) * (vectors + 1);
  };
  for (int vectors = 2; vectors <= kMostVectors; ++vectors) {
    if (!fits(tiles, vectors, target) || outputs % (vectors * target.vector_width) != 0) continue;
    if (panels(vectors) < panels(best)) best = vectors;
  }
  return best;
}

int winograd_inputs(std::int64_t inputs, const Target& target) {
  constexpr int kMost = 96;
  int best = target.vector_width;
  for (int count = best; count <= kMost; count += target.vector_width) {
    if (inputs % count == 0) best = count;
  }
  return best;
}

std::optional<WinogradTile> choose_winograd_tile(const WinogradProblem& problem, const Target& target) {
  const int lanes = target.vector_width;
  if (problem.inputs % lanes != 0 || problem.outputs % lanes != 0) return std::nullopt;
  std::optional<WinogradTile> best;
  double least = direct_cost(problem, lanes) / kLeastGain;
  const std::int64_t rows = ceil_div(problem.rows, 2), columns = ceil_div(problem.columns, 2);
  for (int of_rows = 1; of_rows <= 2 && of_rows <= rows; ++of_rows) {
    for (int of_columns = 1; of_columns <= columns && fits(of_rows * of_columns, 1, target); ++of_columns) {
      const int tiles = of_rows * of_columns;
      const WinogradTile tile{of_rows, of_columns, winograd_vectors(tiles, problem.outputs, target)};
      const double cost = cost_of(problem, tile, lanes);
      if (cost >= least) continue;
      least = cost;
      best = tile;
    }
  }
  return best;
}

}  // namespace tensordsl::schedules
